import * as z from 'zod/mini';
import { filesOperation } from '#shared/api/platform/operation.ts';
import { isPublic, parseFile } from '#shared/dynamodb/files/files.ts';
import { fileKey } from '#shared/dynamodb/keys/files.ts';
import { botKey } from '#shared/dynamodb/keys/workspace.ts';
import { readItems } from '#shared/dynamodb/query.ts';
import { parseBot } from '#shared/dynamodb/workspace/bots.ts';
import { notFound } from '#shared/errors.ts';
import { viewSettled } from '#shared/fileRecords/awaitUpload.ts';
import { isSecretOf, parsePublicToken } from '#shared/fileRecords/publicUrl.ts';
import { publicContentUrl } from '#shared/files/content.ts';

export const readPublicContent = filesOperation({
  name: 'readPublicContent',
  summary:
    'The permanent URL of a file with the policy public_content: leads to one that works for a minute, so that it ends when the policy does. Takes ranges there.',
  scope: 'nowhere',
  method: 'GET',
  path: '/content/{token}',
  table: 'reads',
  objects: 'readsFiles',
  output: z.object({}),
  statuses: [302],

  handle: async ({ input, nowMs }) => {
    const named = parsePublicToken(input.token);
    const [fileItem, botItem] = named
      ? await readItems([fileKey(named.botId, named.fileId), botKey(named.botId)])
      : [undefined, undefined];
    const file = fileItem && parseFile(fileItem);
    const bot = botItem && parseBot(botItem);
    const isThere = file && isPublic(file) && isSecretOf(named!.secret, file) && bot && !bot.deletedAtMs;
    const [current] = isThere ? await viewSettled(bot, [file], nowMs) : [];
    const location = current && (await publicContentUrl(current));
    if (!location) throw notFound('The file');
    return { status: 302, body: {}, headers: { location, 'referrer-policy': 'no-referrer' } };
  },
});
