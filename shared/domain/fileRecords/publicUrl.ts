/**
 * The token contains the file's id, so resolving it takes one read. It reveals only the extension, for some clients.
 */
import { timingSafeEqual } from 'node:crypto';
import { environment } from '#shared/core/environment.ts';
import { isFileId, isUuid } from '#shared/core/ids.ts';
import type { File } from '#shared/storage/dynamodb/files/file.ts';

export const SECRET_LENGTH = 24;
const TOKEN = new RegExp(`^([0-9a-f]{32})([0-9A-Za-z]{24})([0-9A-Za-z]{${SECRET_LENGTH}})(?:\\.[0-9a-z]{1,8})?$`);

export function publicUrl(botId: string, file: Pick<File, 'id' | 'key' | 'secret'>): string {
  const extension = /\.[0-9a-z]{1,8}$/i.exec(file.key)?.[0].toLowerCase() ?? '';
  const token = `${botId.replaceAll('-', '')}${file.id.slice('file_'.length)}${file.secret}`;
  return `${environment.apiBaseUrl}/v1/content/${token}${extension}`;
}

export function parsePublicToken(token: string): { botId: string; fileId: string; secret: string } | undefined {
  const [, hex, id, secret] = TOKEN.exec(token) ?? [];
  if (!hex || !id || !secret) return undefined;
  const botId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  const fileId = `file_${id}`;
  return isUuid(botId) && isFileId(fileId) ? { botId, fileId, secret } : undefined;
}

export const isSecretOf = (given: string, { secret }: { secret: string }) =>
  timingSafeEqual(Buffer.from(given), Buffer.from(secret));
