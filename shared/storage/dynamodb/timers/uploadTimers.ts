/** Timers shared by uploads with deadlines in the same ten minutes. Separate timers would cost as much as the files. */

import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { uploadsKey } from '#shared/storage/dynamodb/keys/files.ts';
import { setTimer } from './timers.ts';

const SPAN_MS = 600_000;

const MAX_REMEMBERED = 10_000;
/** Timers set by this process. They fire hours later, so cached timers still exist. */
const remembered = new Map<string, Promise<void>>();

export const uploadsTimerMs = (untilMs: number) => (Math.floor(untilMs / SPAN_MS) + 1) * SPAN_MS;

/** Ensures that a timer fires after the deadline. Must precede the upload's record. */
export async function setUploadsTimer(botId: string, untilMs: number): Promise<void> {
  const dueMs = uploadsTimerMs(untilMs);
  const name = `${botId} ${dueMs}`;
  const known = remembered.get(name);
  if (known) return known;
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  const setting = write([setTimer(uploadsKey(botId, dueMs), dueMs)]);
  remembered.set(name, setting);
  await setting.catch(error => {
    remembered.delete(name);
    throw error;
  });
}
