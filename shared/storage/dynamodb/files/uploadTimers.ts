/**
 * The timers of pending uploads: one for all uploads of a bot whose deadlines lie in the same ten minutes, set before
 * the first of them is announced. When it fires, the list by status tells which are still pending. A timer for each
 * upload would cost as much as the file's record, and nearly all would be removed unused.
 */
import { uploadsKey } from '#shared/storage/dynamodb/keys/files.ts';
import { setTimer } from '#shared/storage/dynamodb/timers.ts';
import { write } from '#shared/storage/dynamodb/transaction.ts';

/** How much later than its deadline an upload may fail. */
const SPAN_MS = 600_000;

const MOST_REMEMBERED = 10_000;
/** Timers that this process sets or has set. They fire two hours later, so one that is remembered is still there. */
const remembered = new Map<string, Promise<void>>();

/** When the timer of an upload with this deadline fires. */
export const uploadsTimerMs = (untilMs: number) => (Math.floor(untilMs / SPAN_MS) + 1) * SPAN_MS;

/** Makes sure that a timer fires after the deadline of an upload. Must precede the upload's record. */
export async function setUploadsTimer(botId: string, untilMs: number): Promise<void> {
  const dueMs = uploadsTimerMs(untilMs);
  const name = `${botId} ${dueMs}`;
  const known = remembered.get(name);
  if (known) return known;
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  const setting = write([setTimer(uploadsKey(botId, dueMs), dueMs)]);
  remembered.set(name, setting);
  await setting.catch(error => {
    remembered.delete(name);
    throw error;
  });
}
