import { environment } from '#shared/core/environment.ts';
import type { Timer } from '#shared/storage/dynamodb/timers/timers.ts';
import { enqueue } from './queue.ts';
import { MAX_DELAY_SECONDS } from './queueSettings.ts';

/** Timers due within this time wait in the queue (`timers/timers.ts`). A schedule enqueues later timers in time. */
export const AHEAD_MS = MAX_DELAY_SECONDS * 1000;
/** A third of AHEAD_MS, which tolerates missed runs. */
export const TIMER_POLL_MINUTES = 5;

export const tenantOfTimer = ({ pk }: Timer): string => pk.split('#', 1)[0]!;

export const enqueueTimer = (timer: Timer, nowMs: number): Promise<void> =>
  enqueue(environment.timerQueueUrl, timer, {
    tenant: tenantOfTimer(timer),
    delaySeconds: Math.max(0, Math.ceil((timer.dueMs - nowMs) / 1000)),
  });
