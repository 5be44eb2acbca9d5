/** How the content of a file is handed out: by a URL of the object store that works for a while, and does no harm. */
import { create } from 'content-disposition';
import type { File } from '#shared/dynamodb/files/files.ts';

/** How long a URL that was handed out works. */
const URL_SECONDS = 3600;
/** How long the one works to which a permanent URL leads: as long as a revoked file can still be read. */
const PUBLIC_URL_SECONDS = 60;

/** What a browser shows without running anything of it. HTML and SVG can hold scripts, so they are not among it. */
const SHOWN = /^(?:image\/(?!svg)|audio\/|video\/|text\/(?:plain|csv|markdown)|application\/(?:pdf|json))/i;

const dispositionOf = (contentType: string, name: string) =>
  create(name, { type: SHOWN.test(contentType) ? 'inline' : 'attachment' });

/** What is called like its key, as far as that is a name. */
const nameOf = ({ key }: Pick<File, 'key'>) => key.split('/').at(-1) || 'file';

/**
 * A URL of what can be read, or of what is being uploaded if nothing can yet: it works as soon as that has arrived.
 * @returns empty when there is neither
 */
export async function contentUrl(file: File): Promise<string> {
  const source = file.content ?? file.pending;
  return source ? urlOf(source, nameOf(file), URL_SECONDS) : '';
}

/** The URL of what is being uploaded. */
export const pendingUrl = (file: File): Promise<string> => urlOf(file.pending!, nameOf(file), URL_SECONDS);

/** A URL for whoever has the permanent one: it says nothing of the file. Undefined while there is nothing to be read. */
export async function publicContentUrl(file: File): Promise<string | undefined> {
  const isEarly = !file.content && file.pending?.isImmediatelyPublic;
  const source = isEarly ? file.pending : file.content;
  return source && urlOf(source, 'file', PUBLIC_URL_SECONDS);
}

async function urlOf(
  { object, contentType }: { object: string; contentType: string },
  name: string,
  seconds: number,
): Promise<string> {
  const { presignContent } = await import('#shared/s3/presign.ts');
  return presignContent(object, { contentType, disposition: dispositionOf(contentType, name) }, seconds);
}
