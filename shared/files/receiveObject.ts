/** What becomes of a file when its upload has arrived, or does not. Told twice, it happens once. */

import { type BotRef, changeFile, type File, findFile } from '#shared/dynamodb/files/files.ts';
import { retryConflicts, type Write, write } from '#shared/dynamodb/transaction.ts';
import { findBot } from '#shared/dynamodb/workspace/bots.ts';
import { ApiError } from '#shared/errors.ts';
import { arrived, uploadFailed } from '#shared/fileRecords/status.ts';
import { parseFileObject } from '#shared/s3/files.ts';

export type ReceiveOutcome = 'completed' | 'failed' | 'known' | 'unwanted';

/**
 * An object has arrived.
 * @returns `known` if that was seen before, `unwanted` if no file waits for it: then it is deleted
 */
export async function receiveObject(object: string, size: number, nowMs: number): Promise<ReceiveOutcome> {
  const outcome = await receive(object, size, nowMs);
  if (outcome === 'unwanted') {
    const { deleteObject } = await import('#shared/s3/objects.ts');
    await deleteObject(object);
  }
  return outcome;
}

async function receive(object: string, size: number, nowMs: number): Promise<ReceiveOutcome> {
  const named = parseFileObject(object);
  if (!named) return 'known';
  return retryConflicts(async (): Promise<ReceiveOutcome> => {
    const [bot, file] = await Promise.all([findBot(named.botId), findFile(named.botId, named.fileId)]);
    if (file?.content?.object === object) return 'known';
    if (!bot || bot.deletedAtMs !== undefined || file?.pending?.object !== object) return 'unwanted';
    const { writes, outcome } = await receiving(bot, file, size, nowMs);
    try {
      await write(writes);
      return outcome;
    } catch (error) {
      if (!(error instanceof ApiError) || error.type !== 'QuotaExceeded') throw error;
      const reason = 'The workspace has no room for this file: its quota of file storage is used up.';
      await write((await changeFile(bot, file, uploadFailed(file, reason), nowMs)).writes);
      return 'failed';
    }
  });
}

async function receiving(home: BotRef, file: File, size: number, nowMs: number) {
  const announcedSize = file.pending!.size;
  const isWhole = size === announcedSize;
  const changed = isWhole
    ? arrived(file, nowMs)
    : uploadFailed(file, `The upload has ${size} bytes, and ${announcedSize} were announced.`);
  const { writes } = await changeFile(home, file, changed, nowMs);
  return { writes, outcome: isWhole ? ('completed' as const) : ('failed' as const) };
}

/**
 * The time for an upload is over: it has failed, unless it is there and nobody told. Then that is written at once, and
 * with it what was due: there may be no room for it, which only the write itself finds out.
 */
export async function endUpload(home: BotRef, file: File, nowMs: number): Promise<Write[]> {
  const { sizeOfObject } = await import('#shared/s3/objects.ts');
  const { object } = file.pending!;
  const size = await sizeOfObject(object);
  if (size !== undefined) {
    await receive(object, size, nowMs);
    return [];
  }
  const changed = uploadFailed(file, 'Nothing was uploaded before the upload URL expired.');
  return (await changeFile(home, file, changed, nowMs)).writes;
}
