import { publicUrl } from '#shared/domain/fileRecords/publicUrl.ts';
import type { Content, File } from '#shared/storage/dynamodb/files/file.ts';
import { isUpload } from '#shared/storage/s3/prefixes.ts';

const URL_SECONDS = 3600;
/** Lifetime of a redirect's target. A revoked file stays readable for this time. */
const PUBLIC_URL_SECONDS = 60;

export async function contentUrl(botId: string, file: File): Promise<string> {
  const source = file.content ?? file.pending;
  if (!source) return '';
  return isUpload(source.object) ? earlyUrl(botId, file, source) : presign(file, source, URL_SECONDS);
}

export const pendingUrl = (botId: string, file: File): string => earlyUrl(botId, file, file.pending!);

/** Does not name the object, which changes when the upload is accepted. */
const earlyUrl = (botId: string, file: File, { early }: Pick<Content, 'early'>) =>
  publicUrl(botId, { ...file, secret: early!.secret });

export const publicContentUrl = (file: File, content: Content) => presign(file, content, PUBLIC_URL_SECONDS);

/** Browsers save the content under the last segment of the file's key. */
async function presign(
  { key }: Pick<File, 'key'>,
  { object, contentType }: { object: string; contentType: string },
  seconds: number,
): Promise<string> {
  const { presignContent } = await import('#shared/storage/s3/presign.ts');
  return presignContent(object, { contentType, name: key.split('/').at(-1)! }, seconds);
}
