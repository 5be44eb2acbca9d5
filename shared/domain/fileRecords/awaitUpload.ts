/**
 * S3 sends an event for each upload (`events/receiveUpload`), slightly after the PUT. Until then, operations check the
 * object themselves. An upload URL can be reused, so the bytes are copied to a key that no URL can write.
 */
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { ApiError } from '#shared/core/errors.ts';
import type { BotRef } from '#shared/storage/dynamodb/bots/botRef.ts';
import { retryConflicts, WriteConflict, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import type { Content, File, FileDraft } from '#shared/storage/dynamodb/files/file.ts';
import { advanceFile, findFile, findFiles } from '#shared/storage/dynamodb/files/files.ts';
import { acceptedObject } from '#shared/storage/s3/prefixes.ts';
import { uploadArrived, uploadFailed } from './status.ts';

const CONCURRENT_HEADS = 16;

interface Uploaded {
  sizeBytes: number;
  etag: string;
}

export async function finalizeUpload(bot: BotRef, file: File, nowMs: number): Promise<File> {
  if (!file.pending) return file;
  const upload = file.pending.object;
  let current: File | undefined = file;
  return retryConflicts(async () => {
    // Another call, the event or a new upload came first. The caller's own conditions handle a deleted file.
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

/** Copying larger objects can exceed the time limit of a read. Their event accepts them. */
const ACCEPTED_BY_READS_BYTES = 100 * 1024 * 1024;

/**
 * Accepts arrived uploads before the files are returned, because another PUT to the same URL must not change content
 * that a caller has seen. Preserves the order.
 */
export async function finalizeBeforeRead(bot: BotRef, files: readonly File[], nowMs: number): Promise<File[]> {
  if (!files.some(file => file.pending)) return [...files];
  const arrived = await mapConcurrently(files, CONCURRENT_HEADS, findUploaded);
  const latest = await readAgain(bot.id, files, arrived);
  return mapConcurrently(latest, CONCURRENT_HEADS, async (file, i) => {
    if (!arrived[i] || arrived[i].sizeBytes > ACCEPTED_BY_READS_BYTES) return file;
    try {
      return await finalizeUpload(bot, file, nowMs);
    } catch (error) {
      // Concurrent calls are changing the file. The caller receives the file without their changes.
      if (error instanceof WriteConflict) return file;
      throw error;
    }
  });
}

/**
 * Returns content whose object remains after the upload is accepted, so that a redirect can name it. The stream deletes
 * the object of an accepted upload. Writes no record.
 */
export async function readableContent(botId: string, file: File): Promise<Content | undefined> {
  let current: File | undefined = file;
  return retryConflicts(async () => {
    const { pending, content }: Partial<File> = current ?? {};
    const uploaded = current && (await findUploaded(current));
    if (!pending || !uploaded || uploaded.sizeBytes !== pending.size) {
      // The event may have accepted the upload meanwhile.
      return pending ? (await findFile(botId, file.id))?.content : content;
    }
    const object = acceptedObject(pending.object, uploaded.etag);
    try {
      await copyUpload(pending.object, object, uploaded.etag);
    } finally {
      current = await findFile(botId, file.id);
    }
    if (current?.pending?.object === pending.object || current?.content?.object === object)
      return { ...pending, object };
    // The upload ended. Its sweep deletes the copy.
    throw new WriteConflict();
  });
}

/** Re-reads files without a pending object: the event may have accepted it meanwhile, and the stream deleted it. */
async function readAgain(botId: string, files: readonly File[], all: readonly (Uploaded | undefined)[]) {
  const missing = files.filter((file, i) => file.pending && !all[i]);
  const found = await findFiles(
    botId,
    missing.map(file => file.id),
  );
  const byId = new Map(found.flatMap(file => (file ? [[file.id, file] as const] : [])));
  return files.map(file => byId.get(file.id) ?? file);
}

export async function findUploaded({ pending }: File): Promise<Uploaded | undefined> {
  if (!pending) return undefined;
  const { headObject } = await import('#shared/storage/s3/objects.ts');
  return headObject(pending.object);
}

/** @throws WriteConflict if the file or the uploaded bytes have changed */
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
    return save(
      uploadFailed(
        file,
        "The file exceeds the workspace's quota of file storage. Delete files, or ask the operator for a higher quota.",
      ),
    );
  }
}

/** Not staged: when the upload ends, unused copies are deleted (`files/uploadCopies.ts`). */
async function copyUpload(upload: string, object: string, etag: string): Promise<void> {
  const { copyObject, isChanged, isMissing } = await import('#shared/storage/s3/objects.ts');
  try {
    await copyObject(upload, object, etag);
  } catch (error) {
    throw isChanged(error) || isMissing(error) ? new WriteConflict() : error;
  }
}

const isAnnouncedSize = ({ pending }: File, { sizeBytes }: Uploaded) => sizeBytes === pending!.size;

function afterUpload(file: File, uploaded: Uploaded, object: string, nowMs: number): FileDraft {
  if (isAnnouncedSize(file, uploaded)) return uploadArrived(file, object, nowMs);
  const { sizeBytes } = uploaded;
  return uploadFailed(file, `The upload has ${sizeBytes} bytes, but the declared size is ${file.pending!.size}.`);
}
