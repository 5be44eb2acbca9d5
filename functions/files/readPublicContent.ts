import * as z from 'zod/mini';
import { filesOperation } from '#shared/api/operations/platform.ts';
import { notFound } from '#shared/core/errors.ts';
import { viewSettled } from '#shared/domain/fileRecords/awaitUpload.ts';
import { isSecretOf, parsePublicToken } from '#shared/domain/fileRecords/publicUrl.ts';
import { earlyContentUrl, publicContentUrl } from '#shared/domain/files/contentUrl.ts';
import type { BotRef } from '#shared/storage/dynamodb/bots/botRef.ts';
import { type File, isPublic } from '#shared/storage/dynamodb/files/file.ts';
import { findFileWithBot } from '#shared/storage/dynamodb/files/files.ts';

export const readPublicContent = filesOperation({
  name: 'readPublicContent',
  summary:
    'Redirects the permanent URL of a file with the policy `public_content` to a URL that is valid for a minute, so that removing the policy takes effect. Also redirects the URL of an announced upload for three hours. The target supports ranges.',
  scope: 'public',
  method: 'GET',
  path: '/content/{token}',
  table: 'reads',
  objects: 'readsFiles',
  output: z.object({}),
  statuses: [302],

  handle: async ({ input, nowMs }) => {
    const token = parsePublicToken(input.token);
    const found = token && (await findFileWithBot(token.botId, token.fileId));
    if (!found || found.bot.deletedAtMs !== undefined) throw notFound('The file');
    const location = await targetOf(found, token!.secret, nowMs);
    if (!location) throw notFound('The file');
    return { status: 302, body: {}, headers: { location, 'referrer-policy': 'no-referrer' } };
  },
});

async function targetOf({ file, bot }: { file: File; bot: BotRef }, secret: string, nowMs: number) {
  if (!isSecretOf(secret, file)) return earlyContentUrl(file, secret, nowMs);
  if (!isPublic(file)) return undefined;
  const [settled] = await viewSettled(bot, [file], nowMs);
  return publicContentUrl(settled!);
}
