/** Processes upload events, which may be redelivered. */

import { completeUpload, findUploaded } from '#shared/domain/fileRecords/awaitUpload.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { retryConflicts } from '#shared/storage/dynamodb/engine/transaction.ts';
import { findFile } from '#shared/storage/dynamodb/files/files.ts';
import { acceptedPrefix, parseUploadObject } from '#shared/storage/s3/prefixes.ts';

/**
 * `known`: accepted earlier; `unwanted`: no file expects it; `missing`: deleted or not uploaded; `foreign`: not an
 * upload
 */
export type ReceiveOutcome = 'completed' | 'failed' | 'known' | 'unwanted' | 'missing' | 'foreign';

/** Completes the upload of an object. Deletes an object that no file expects. */
export async function receiveObject(object: string, nowMs: number): Promise<ReceiveOutcome> {
  const outcome = await receive(object, nowMs);
  if (outcome === 'known' || outcome === 'unwanted') {
    const { deleteObject } = await import('#shared/storage/s3/objects.ts');
    await deleteObject(object);
  }
  return outcome;
}

async function receive(object: string, nowMs: number): Promise<ReceiveOutcome> {
  const named = parseUploadObject(object);
  if (!named) return 'foreign';
  return retryConflicts(async (): Promise<ReceiveOutcome> => {
    const [bot, file] = await Promise.all([findBot(named.botId), findFile(named.botId, named.fileId)]);
    if (file?.content?.object.startsWith(acceptedPrefix(object))) return 'known';
    if (!bot || bot.deletedAtMs !== undefined || file?.pending?.object !== object) return 'unwanted';
    // A later PUT may have replaced the object of the event.
    const uploaded = await findUploaded(file);
    if (!uploaded) return 'missing';
    const { status } = await completeUpload(bot, file, uploaded, nowMs);
    return status === 'upload_failed' ? 'failed' : 'completed';
  });
}
