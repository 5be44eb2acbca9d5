/** Presigned URLs of file contents, which browsers can open safely. */
import { create } from 'content-disposition';
import type { File } from '#shared/dynamodb/files/file.ts';
import { isShownInline } from '#shared/s3/inlineTypes.ts';

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
export async function contentUrl(file: File): Promise<string> {
  const source = file.content ?? file.pending;
  return source ? presign(source, nameOf(file), URL_SECONDS) : '';
}

/** A URL of the pending upload. */
export const pendingUrl = (file: File): Promise<string> => presign(file.pending!, nameOf(file), URL_SECONDS);

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
  const { presignContent } = await import('#shared/s3/presign.ts');
  return presignContent(object, { contentType, disposition: dispositionOf(contentType, name) }, seconds);
}
