/** Files that a reply can contain. */

/** Limit of the API. A test compares it. */
export const MAX_FILE_BYTES = 25 * 1024 * 1024;
export const MAX_FILE_MEGABYTES = MAX_FILE_BYTES / 1024 / 1024;
/** Limit of files per reply. Each becomes a message. */
export const MAX_FILES = 10;
/** Width and height of the preview, in pixels of a dense screen. */
const PREVIEW_PIXELS = 96;

export type FileKind = 'image' | 'audio' | 'video' | 'file';

/** Kinds are those of messages (docs/api/chat.md#message-payloads). */
export function kindOfType(contentType: string): FileKind {
  const [kind] = contentType.split('/');
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file';
}

export interface SentFile {
  kind: FileKind;
  url: string;
  name: string;
}

export function messageOfFile({ kind, url, name }: SentFile): { type: FileKind; payload: Record<string, string> } {
  if (kind === 'file') return { type: kind, payload: { fileUrl: url, title: name } };
  return { type: kind, payload: { [`${kind}Url`]: url } };
}

/** Copied text can include a picture of itself, so the files of a paste count only without text. */
export const filesOfPaste = ({ files, types }: DataTransfer): File[] => (types.includes('text/html') ? [] : [...files]);

/**
 * Returns a data URL, because the content security policy forbids blob URLs. Undefined for files that the browser
 * cannot decode.
 */
export async function previewOf(file: File): Promise<string | undefined> {
  try {
    const picture = await createImageBitmap(file);
    const scale = Math.min(1, PREVIEW_PIXELS / Math.max(picture.width, picture.height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(picture.width * scale));
    canvas.height = Math.max(1, Math.round(picture.height * scale));
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    return canvas.toDataURL();
  } catch {
    return undefined;
  }
}
