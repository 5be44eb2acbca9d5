/**
 * Completes uploads whose bytes are in the object store. S3 sends an event for each of them (`events/receiveUpload`),
 * which arrives a moment after the PUT was answered; an operation that names the file in between looks at the object
 * itself.
 *
 * The URL of an upload works again after it was used. Accepting therefore copies the bytes to a key that no URL writes
 * to, and the record's conditional write makes the copy the content. The table's stream deletes the upload and any
 * other copies of it.
 */
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { ApiError } from '#shared/core/errors.ts';
import type { BotRef } from '#shared/storage/dynamodb/bots/botRef.ts';
import type { File, FileDraft } from '#shared/storage/dynamodb/files/file.ts';
import { advanceFile, findFile, findFiles } from '#shared/storage/dynamodb/files/files.ts';
import { retryConflicts, WriteConflict, write } from '#shared/storage/dynamodb/transaction.ts';
import { findQuota } from '#shared/storage/dynamodb/workspace/usage.ts';
import { acceptedObject } from '#shared/storage/s3/prefixes.ts';
import { uploadArrived, uploadFailed } from './status.ts';

const HEADS_AT_ONCE = 16;

/** The object that a pending upload has left. */
interface Uploaded {
  sizeBytes: number;
  /** Stands for its bytes. */
  etag: string;
}

/**
 * Completes the pending upload of a file if its object has arrived, as the event does. Writes nothing otherwise.
 * @returns the file as it is then
 */
export async function settleUpload(bot: BotRef, file: File, nowMs: number): Promise<File> {
  if (!file.pending) return file;
  const upload = file.pending.object;
  let current: File | undefined = file;
  return retryConflicts(async () => {
    // The event, another call or a new upload was faster; a deleted file is left to the caller's own conditions.
    if (current?.pending?.object !== upload) return current ?? file;
    const uploaded = await findUploaded(current);
    if (!uploaded) return (await findFile(bot.id, file.id)) ?? current;
    try {
      return await completeUpload(bot, current, uploaded, nowMs);
    } catch (error) {
      if (error instanceof WriteConflict) current = await findFile(bot.id, file.id);
      throw error;
    }
  });
}

/**
 * Files of one bot as {@link settleUpload} would leave them, for operations that only read: the event writes it a
 * moment later. Where the workspace has a quota of storage only that write decides, and the upload stays pending until
 * then.
 */
export async function viewSettled(bot: BotRef, files: readonly File[], nowMs: number): Promise<File[]> {
  if (!files.some(file => file.pending)) return [...files];
  const all = await mapConcurrently(files, HEADS_AT_ONCE, findUploaded);
  const latest = await readAgain(bot.id, files, all);
  if (all.every(uploaded => uploaded === undefined)) return latest;
  if ((await findQuota(bot.workspaceId, 'storage_count')) !== undefined) return latest;
  return latest.map((file, i) => {
    const uploaded = all[i];
    return uploaded ? { ...file, ...afterUpload(file, uploaded, file.pending!.object, nowMs) } : file;
  });
}

/**
 * The files whose pending object is not there, as they are now: the event may have accepted it, and the stream deleted
 * it, since they were read.
 */
async function readAgain(botId: string, files: readonly File[], all: readonly (Uploaded | undefined)[]) {
  const missing = files.filter((file, i) => file.pending && !all[i]);
  const found = await findFiles(
    botId,
    missing.map(file => file.id),
  );
  const byId = new Map(found.flatMap(file => (file ? [[file.id, file] as const] : [])));
  return files.map(file => byId.get(file.id) ?? file);
}

/** The object that a pending upload has left; undefined while there is none. */
export async function findUploaded({ pending }: File): Promise<Uploaded | undefined> {
  if (!pending) return undefined;
  const { headObject } = await import('#shared/storage/s3/objects.ts');
  return headObject(pending.object);
}

/**
 * Copies the pending upload of a file and writes that it has arrived, or failed for its size or the workspace's quota.
 * @throws WriteConflict when the file or the uploaded bytes have changed since they were read
 */
export async function completeUpload(bot: BotRef, file: File, uploaded: Uploaded, nowMs: number): Promise<File> {
  const save = async (changed: FileDraft) => {
    const { file: saved, writes } = await advanceFile(bot, file, changed, nowMs);
    await write(writes);
    return saved;
  };
  const upload = file.pending!.object;
  const object = acceptedObject(upload, uploaded.etag);
  if (isAnnouncedSize(file, uploaded)) await copyUpload(upload, object, uploaded.etag);
  try {
    return await save(afterUpload(file, uploaded, object, nowMs));
  } catch (error) {
    if (!(error instanceof ApiError) || error.type !== 'QuotaExceeded') throw error;
    return save(uploadFailed(file, "The workspace's quota of file storage is used up: it has no room for this file."));
  }
}

/** Not staged: when the file's upload ends, the stream deletes the copies that it did not take. */
async function copyUpload(upload: string, object: string, etag: string): Promise<void> {
  const { copyObject, isChanged, isMissing } = await import('#shared/storage/s3/objects.ts');
  try {
    await copyObject(upload, object, etag);
  } catch (error) {
    // Uploaded once more, or settled by another caller.
    throw isChanged(error) || isMissing(error) ? new WriteConflict() : error;
  }
}

const isAnnouncedSize = ({ pending }: File, { sizeBytes }: Uploaded) => sizeBytes === pending!.size;

function afterUpload(file: File, uploaded: Uploaded, object: string, nowMs: number): FileDraft {
  if (isAnnouncedSize(file, uploaded)) return uploadArrived(file, object, nowMs);
  const { sizeBytes } = uploaded;
  return uploadFailed(file, `The upload has ${sizeBytes} bytes, and ${file.pending!.size} were announced.`);
}
