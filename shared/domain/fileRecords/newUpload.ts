import { randomText } from '#shared/core/ids.ts';
import type { FileDraft } from '#shared/storage/dynamodb/files/file.ts';
import { SECRET_LENGTH } from './publicUrl.ts';

/** Returns a file that awaits its first upload, readable only by its owner. */
export const newUpload = (place: Pick<FileDraft, 'id' | 'key' | 'scope' | 'owner'>, nowMs: number): FileDraft => ({
  ...place,
  tags: {},
  metadata: '{}',
  policies: [],
  index: false,
  contentType: '',
  status: 'upload_pending',
  secret: randomText(SECRET_LENGTH),
  createdAtMs: nowMs,
});

/** Derives the content type from the extension. */
export async function guessContentType(name: string): Promise<string> {
  const { mediaTypes } = await import('./mediaTypes.ts');
  return mediaTypes.getType(name) ?? 'application/octet-stream';
}
