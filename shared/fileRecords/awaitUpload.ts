/**
 * Completes uploads whose bytes are in the object store. S3 sends an event for each of them (`events/receiveUpload`), which
 * arrives a moment after the PUT was answered; an operation that names the file in between looks at the object itself.
 */
import { mapConcurrently } from '#shared/concurrency.ts';
import type { File, FileDraft } from '#shared/dynamodb/files/file.ts';
import { changeFile, findFile } from '#shared/dynamodb/files/files.ts';
import { retryConflicts, WriteConflict, write } from '#shared/dynamodb/transaction.ts';
import type { BotRef } from '#shared/dynamodb/workspace/botRef.ts';
import { findQuota } from '#shared/dynamodb/workspace/usage.ts';
import { ApiError } from '#shared/errors.ts';
import { uploadArrived, uploadFailed } from './status.ts';

const HEADS_AT_ONCE = 16;

/**
 * Completes the pending upload of a file if its object has arrived, as the event does. Writes nothing otherwise.
 * @returns the file as it is then
 */
export async function settleUpload(bot: BotRef, file: File, nowMs: number): Promise<File> {
  const sizeBytes = await findUploadedSize(file);
  if (sizeBytes === undefined) return file;
  let current: File | undefined = file;
  return retryConflicts(async () => {
    // The event, another call or a new upload was faster; a deleted file is left to the caller's own conditions.
    if (current?.pending?.object !== file.pending!.object) return current ?? file;
    try {
      return await completeUpload(bot, current, sizeBytes, nowMs);
    } catch (error) {
      if (error instanceof WriteConflict) current = await findFile(bot.id, file.id);
      throw error;
    }
  });
}

/**
 * Files of one bot as {@link settleUpload} would leave them, for operations that only read: the event writes it a moment
 * later. Where the workspace has a quota of storage only that write decides, and the upload stays pending until then.
 */
export async function viewSettled(bot: BotRef, files: readonly File[], nowMs: number): Promise<File[]> {
  const sizes = await mapConcurrently(files, HEADS_AT_ONCE, findUploadedSize);
  if (sizes.every(sizeBytes => sizeBytes === undefined)) return [...files];
  if ((await findQuota(bot.workspaceId, 'storage_count')) !== undefined) return [...files];
  return files.map((file, i) => {
    const sizeBytes = sizes[i];
    return sizeBytes === undefined ? file : { ...file, ...afterUpload(file, sizeBytes, nowMs) };
  });
}

/** The size in bytes of the object that a pending upload has left; undefined while there is none. */
export async function findUploadedSize({ pending }: File): Promise<number | undefined> {
  if (!pending) return undefined;
  const { sizeOfObject } = await import('#shared/s3/objects.ts');
  return sizeOfObject(pending.object);
}

/**
 * Writes that the pending upload of a file has arrived, or failed for its size or the workspace's quota.
 * @throws WriteConflict when the file has changed since it was read
 */
export async function completeUpload(bot: BotRef, file: File, sizeBytes: number, nowMs: number): Promise<File> {
  const save = async (changed: FileDraft) => {
    const { file: saved, writes } = await changeFile(bot, file, changed, nowMs);
    await write(writes);
    return saved;
  };
  try {
    return await save(afterUpload(file, sizeBytes, nowMs));
  } catch (error) {
    if (!(error instanceof ApiError) || error.type !== 'QuotaExceeded') throw error;
    return save(uploadFailed(file, "The workspace's quota of file storage is used up: it has no room for this file."));
  }
}

function afterUpload(file: File, sizeBytes: number, nowMs: number): FileDraft {
  const announcedBytes = file.pending!.size;
  return sizeBytes === announcedBytes
    ? uploadArrived(file, nowMs)
    : uploadFailed(file, `The upload has ${sizeBytes} bytes, and ${announcedBytes} were announced.`);
}
