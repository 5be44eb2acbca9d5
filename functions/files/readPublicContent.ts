import * as z from 'zod/mini';
import { filesOperation } from '#shared/api/operations/platform.ts';
import { notFound } from '#shared/core/errors.ts';
import { readableContent } from '#shared/domain/fileRecords/awaitUpload.ts';
import { isSecretOf, parsePublicToken } from '#shared/domain/fileRecords/publicUrl.ts';
import { publicContentUrl } from '#shared/domain/files/contentUrl.ts';
import type { BotRef } from '#shared/storage/dynamodb/bots/botRef.ts';
import { type Content, type File, isPublic } from '#shared/storage/dynamodb/files/file.ts';
import { findFileWithBot } from '#shared/storage/dynamodb/files/files.ts';

export const readPublicContent = filesOperation({
  name: 'readPublicContent',
  summary:
    'Redirects the permanent URL of a file with the policy `public_content` to a URL that is valid for a minute, so that removing the policy takes effect. Also redirects the URL of an announced upload for three hours. The target supports ranges.',
  scope: 'public',
  method: 'GET',
  path: '/content/{token}',
  table: 'reads',
  // Copies an upload that is not accepted yet.
  objects: { reads: ['files', 'uploads'], writes: ['files'] },
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
  const isPermanent = isSecretOf(secret, file);
  const isEarly = ({ early }: Content) => early !== undefined && early.untilMs > nowMs && isSecretOf(secret, early);
  const isReadable = isPermanent ? isPublic(file) : [file.content, file.pending].some(each => each && isEarly(each));
  if (!isReadable) return undefined;
  const content = await readableContent(bot.id, file);
  if (!content) return undefined;
  return isPermanent || isEarly(content) ? publicContentUrl(file, content) : undefined;
}
