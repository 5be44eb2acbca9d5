import { create } from 'content-disposition';
import { publicUrl } from '#shared/domain/fileRecords/publicUrl.ts';
import type { Content, File } from '#shared/storage/dynamodb/files/file.ts';
import { isShownInline } from '#shared/storage/s3/inlineTypes.ts';
import { isUpload } from '#shared/storage/s3/prefixes.ts';

const URL_SECONDS = 3600;
/** Lifetime of a redirect's target. A revoked file stays readable for this time. */
const PUBLIC_URL_SECONDS = 60;

const dispositionOf = (contentType: string, name: string) =>
  create(name, { type: isShownInline(contentType) ? 'inline' : 'attachment' });

const nameOf = ({ key }: Pick<File, 'key'>) => key.split('/').at(-1) || 'file';

export async function contentUrl(botId: string, file: File): Promise<string> {
  const source = file.content ?? file.pending;
  if (!source) return '';
  return isUpload(source.object) ? earlyUrl(botId, file, source) : presign(source, nameOf(file), URL_SECONDS);
}

export const pendingUrl = (botId: string, file: File): string => earlyUrl(botId, file, file.pending!);

/** Does not name the object, which changes when the upload is accepted. */
const earlyUrl = (botId: string, file: File, { early }: Pick<Content, 'early'>) =>
  publicUrl(botId, { ...file, secret: early!.secret });

export const earlyContentUrl = (file: File, content: Content) => presign(content, nameOf(file), PUBLIC_URL_SECONDS);

export const publicContentUrl = (content: Content) => presign(content, 'file', PUBLIC_URL_SECONDS);

async function presign(
  { object, contentType }: { object: string; contentType: string },
  name: string,
  seconds: number,
): Promise<string> {
  const { presignContent } = await import('#shared/storage/s3/presign.ts');
  return presignContent(object, { contentType, disposition: dispositionOf(contentType, name) }, seconds);
}
