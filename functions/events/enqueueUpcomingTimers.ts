import { clock } from '#shared/core/clock.ts';
import { createFairQueue } from '#shared/core/fairQueue.ts';
import { scheduleConsumer } from '#shared/events/consumers/consumer.ts';
import { listTimers, type Timer } from '#shared/storage/dynamodb/timers/timers.ts';
import { AHEAD_MS, enqueueTimer, TIMER_POLL_MINUTES, tenantOfTimer } from '#shared/storage/queues/timerJobs.ts';

const CONCURRENT_SENDS = 25;
/** Number of timers to prefetch, so that a tenant with few timers does not wait for other tenants' timers. */
const READ_AHEAD = 50_000;

/**
 * Overdue timers are enqueued again: one whose job was lost fires late instead of never. Scheduling is round-robin by
 * tenant.
 */
export const enqueueUpcomingTimers = scheduleConsumer({
  name: 'enqueueUpcomingTimers',
  summary: 'Enqueues timers that are due within 15 minutes, and re-enqueues overdue ones.',
  everyMinutes: TIMER_POLL_MINUTES,
  table: 'reads',
  partitions: { reads: ['timers'] },
  sends: ['timers'],

  run: async () => {
    const nowMs = clock.now();
    const queue = createFairQueue<Timer>();
    let found = 0;
    const sendUntil = async (left: number) => {
      const sender = async () => {
        while (queue.size > left) await enqueueTimer(queue.take()!, nowMs);
      };
      await Promise.all(Array.from({ length: CONCURRENT_SENDS }, sender));
    };
    for await (const page of listTimers(nowMs + AHEAD_MS)) {
      for (const timer of page) queue.add(tenantOfTimer(timer), timer);
      found += page.length;
      await sendUntil(READ_AHEAD);
    }
    await sendUntil(0);
    return { found };
  },
});
