/** Processes the events of uploads. Each may come twice. */

import { completeUpload, findUploaded } from '#shared/domain/fileRecords/awaitUpload.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { findFile } from '#shared/storage/dynamodb/files/files.ts';
import { retryConflicts } from '#shared/storage/dynamodb/transaction.ts';
import { acceptedPrefix, parseUploadObject } from '#shared/storage/s3/prefixes.ts';

/**
 * `known`: accepted before; `unwanted`: no file waits for it; `missing`: it is gone, or not there yet; `foreign`: its
 * key is not of an upload
 */
export type ReceiveOutcome = 'completed' | 'failed' | 'known' | 'unwanted' | 'missing' | 'foreign';

/** Completes the upload that an object belongs to. Deletes the object if no file waits for it, or not any more. */
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
    // The event tells of one PUT; what counts is the object, which another PUT may have replaced.
    const uploaded = await findUploaded(file);
    if (!uploaded) return 'missing';
    const { status } = await completeUpload(bot, file, uploaded, nowMs);
    return status === 'upload_failed' ? 'failed' : 'completed';
  });
}
