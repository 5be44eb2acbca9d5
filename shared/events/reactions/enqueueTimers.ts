import { clock } from '#shared/core/clock.ts';
import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { Timer } from '#shared/storage/dynamodb/timers/timers.ts';
import { AHEAD_MS, enqueueTimer } from '#shared/storage/queues/timerJobs.ts';

/** Enqueues a timer that fires soon. `enqueueUpcomingTimers` enqueues later timers in time. */
export async function enqueueTimers({ event, before, after }: StreamChange): Promise<void> {
  const isSet = event !== 'REMOVE' && after.dueMs !== undefined && after.dueMs !== before.dueMs;
  if (!isSet || Number(after.dueMs) > clock.now() + AHEAD_MS) return;
  await enqueueTimer(Timer.parse(after), clock.now());
}
