/** Jobs of the timer queue, which holds each timer until it fires (`dynamodb/timers.ts`). */

import { environment } from '#shared/core/environment.ts';
import type { Timer } from '#shared/storage/dynamodb/timers.ts';
import { enqueue, LONGEST_DELAY_SECONDS } from './queue.ts';

/** Timers that fire within this time wait in the queue; a schedule finds the others before then. */
export const AHEAD_MS = LONGEST_DELAY_SECONDS * 1000;
/** A third of the time that the queue can hold a timer, so that a missed run does no harm. */
export const LOOK_EVERY_MINUTES = 5;

/** Keys start with the tenant. */
export const tenantOfTimer = ({ pk }: Timer): string => pk.split('#', 1)[0]!;

/** The timer fires to the second. */
export const enqueueTimer = (timer: Timer, nowMs: number): Promise<void> =>
  enqueue(environment.timerQueueUrl, timer, {
    tenant: tenantOfTimer(timer),
    delaySeconds: Math.max(0, Math.ceil((timer.dueMs - nowMs) / 1000)),
  });
