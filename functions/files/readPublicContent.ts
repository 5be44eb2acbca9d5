import * as z from 'zod/mini';
import { filesOperation } from '#shared/api/platform/operation.ts';
import { isPublic } from '#shared/dynamodb/files/file.ts';
import { findFileWithBot } from '#shared/dynamodb/files/files.ts';
import { notFound } from '#shared/errors.ts';
import { viewSettled } from '#shared/fileRecords/awaitUpload.ts';
import { isSecretOf, parsePublicToken } from '#shared/fileRecords/publicUrl.ts';
import { publicContentUrl } from '#shared/files/contentUrl.ts';

export const readPublicContent = filesOperation({
  name: 'readPublicContent',
  summary:
    'Redirects the permanent URL of a file with the policy `public_content` to one that works for a minute, so that removing the policy takes effect. The target supports ranges.',
  scope: 'nowhere',
  method: 'GET',
  path: '/content/{token}',
  table: 'reads',
  objects: 'readsFiles',
  output: z.object({}),
  statuses: [302],

  handle: async ({ input, nowMs }) => {
    const token = parsePublicToken(input.token);
    const found = token && (await findFileWithBot(token.botId, token.fileId));
    const isReadable =
      found && isPublic(found.file) && isSecretOf(token.secret, found.file) && found.bot.deletedAtMs === undefined;
    const [file] = isReadable ? await viewSettled(found.bot, [found.file], nowMs) : [];
    const location = file && (await publicContentUrl(file));
    if (!location) throw notFound('The file');
    return { status: 302, body: {}, headers: { location, 'referrer-policy': 'no-referrer' } };
  },
});
