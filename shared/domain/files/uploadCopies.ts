import { objectsOf } from '#shared/storage/dynamodb/files/file.ts';
import { findFile } from '#shared/storage/dynamodb/files/files.ts';
import { acceptedPrefix } from '#shared/storage/s3/prefixes.ts';

/** Deletes the copies of an ended upload that its file does not refer to. Returns their number. */
export async function deleteUploadCopies(botId: string, fileId: string, upload: string): Promise<number> {
  const needed = new Set(objectsOf(await findFile(botId, fileId)));
  const { deleteObjects } = await import('#shared/storage/s3/objects.ts');
  return deleteObjects(acceptedPrefix(upload), needed);
}
