/** Processes the events of uploads, and the end of the time that an upload may take. Each may come twice. */

import type { File } from '#shared/dynamodb/files/file.ts';
import { changeFile, findFile } from '#shared/dynamodb/files/files.ts';
import { retryConflicts, type Write } from '#shared/dynamodb/transaction.ts';
import type { BotRef } from '#shared/dynamodb/workspace/botRef.ts';
import { findBot } from '#shared/dynamodb/workspace/bots.ts';
import { completeUpload, findUploadedSize } from '#shared/fileRecords/awaitUpload.ts';
import { uploadFailed } from '#shared/fileRecords/status.ts';
import { parseFileObject } from '#shared/s3/prefixes.ts';

export type ReceiveOutcome = 'completed' | 'failed' | 'known' | 'unwanted';

/**
 * Completes the upload that an object belongs to.
 * @returns `known` if that was done before; `unwanted` if no file waits for the object, which is then deleted
 */
export async function receiveObject(object: string, sizeBytes: number, nowMs: number): Promise<ReceiveOutcome> {
  const outcome = await receive(object, sizeBytes, nowMs);
  if (outcome === 'unwanted') {
    const { deleteObject } = await import('#shared/s3/objects.ts');
    await deleteObject(object);
  }
  return outcome;
}

async function receive(object: string, sizeBytes: number, nowMs: number): Promise<ReceiveOutcome> {
  const named = parseFileObject(object);
  if (!named) return 'known';
  return retryConflicts(async (): Promise<ReceiveOutcome> => {
    const [bot, file] = await Promise.all([findBot(named.botId), findFile(named.botId, named.fileId)]);
    if (file?.content?.object === object) return 'known';
    if (!bot || bot.deletedAtMs !== undefined || file?.pending?.object !== object) return 'unwanted';
    const { status } = await completeUpload(bot, file, sizeBytes, nowMs);
    return status === 'upload_failed' ? 'failed' : 'completed';
  });
}

/**
 * Fails an upload whose time is over, unless its object is there and the event got lost: that is written at once, together
 * with the timer, since only the write itself finds out whether the quota has room.
 * @returns the writes that are left to do
 */
export async function endUpload(bot: BotRef, file: File, nowMs: number): Promise<Write[]> {
  const sizeBytes = await findUploadedSize(file);
  if (sizeBytes !== undefined) {
    await receive(file.pending!.object, sizeBytes, nowMs);
    return [];
  }
  const changed = uploadFailed(file, 'Nothing was uploaded before the upload URL expired.');
  return (await changeFile(bot, file, changed, nowMs)).writes;
}
