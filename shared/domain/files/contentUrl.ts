/** Presigned URLs of file contents, which browsers can open safely. */
import { create } from 'content-disposition';
import { isSecretOf, publicUrl } from '#shared/domain/fileRecords/publicUrl.ts';
import type { Content, File } from '#shared/storage/dynamodb/files/file.ts';
import { isShownInline } from '#shared/storage/s3/inlineTypes.ts';
import { isUpload } from '#shared/storage/s3/prefixes.ts';

const URL_SECONDS = 3600;
/** A permanent URL redirects to one that expires soon: a revoked file stays readable that long. */
const PUBLIC_URL_SECONDS = 60;

const dispositionOf = (contentType: string, name: string) =>
  create(name, { type: isShownInline(contentType) ? 'inline' : 'attachment' });

/** The last segment of the key. */
const nameOf = ({ key }: Pick<File, 'key'>) => key.split('/').at(-1) || 'file';

/**
 * A URL of the content, or of the pending upload if there is no content yet: it works once that has arrived.
 * @returns an empty string if there is neither
 */
export async function contentUrl(botId: string, file: File): Promise<string> {
  const source = file.content ?? file.pending;
  if (!source) return '';
  return isUpload(source.object) ? earlyUrl(botId, file, source) : presign(source, nameOf(file), URL_SECONDS);
}

/** A URL of the pending upload. */
export const pendingUrl = (botId: string, file: File): string => earlyUrl(botId, file, file.pending!);

/** Not of the object, which is another one as soon as the upload is accepted. */
const earlyUrl = (botId: string, file: File, { early }: Pick<Content, 'early'>) =>
  publicUrl(botId, { ...file, secret: early!.secret });

/**
 * The target of a URL that was handed out before the upload was accepted; undefined if it has expired or is of another
 * upload.
 */
export async function earlyContentUrl(file: File, secret: string, nowMs: number): Promise<string | undefined> {
  const source = [file.content, file.pending].find(
    each => each?.early && each.early.untilMs > nowMs && isSecretOf(secret, each.early),
  );
  return source && presign(source, nameOf(file), PUBLIC_URL_SECONDS);
}

/** The target of a permanent URL, which does not reveal the file's name; undefined while there is nothing to read. */
export async function publicContentUrl(file: File): Promise<string | undefined> {
  const isEarly = !file.content && file.pending?.isImmediatelyPublic;
  const source = isEarly ? file.pending : file.content;
  return source && presign(source, 'file', PUBLIC_URL_SECONDS);
}

async function presign(
  { object, contentType }: { object: string; contentType: string },
  name: string,
  seconds: number,
): Promise<string> {
  const { presignContent } = await import('#shared/storage/s3/presign.ts');
  return presignContent(object, { contentType, disposition: dispositionOf(contentType, name) }, seconds);
}
