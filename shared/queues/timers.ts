/** Waiting for the time at which something is due: see `table/due.ts`. */

import type { Timer } from '#shared/dynamodb/timers.ts';
import { environment } from '#shared/environment.ts';
import { enqueue, LONGEST_DELAY_SECONDS } from './queue.ts';

/** What is due within this time waits in the queue; the rest is looked for again before that is over. */
export const AHEAD_MS = LONGEST_DELAY_SECONDS * 1000;
/** How often that is. Twice as often as it must be, so that one look may fail. */
export const LOOK_EVERY_MINUTES = 5;

/** Has it done at its time, to the second. */
export const enqueueTimer = (due: Timer, nowMs: number): Promise<void> =>
  enqueue(environment.timerQueueUrl, due, Math.max(0, Math.ceil((due.dueMs - nowMs) / 1000)));
