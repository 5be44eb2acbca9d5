import { scheduleConsumer } from '#shared/consumers/consumer.ts';
import { listTimers } from '#shared/dynamodb/timers.ts';
import { log } from '#shared/log.ts';
import { AHEAD_MS, enqueueTimer, LOOK_EVERY_MINUTES } from '#shared/queues/timers.ts';

const SENT_AT_ONCE = 25;

/**
 * Puts what comes within a quarter of an hour on the queue that holds it until its time. What is overdue is put there
 * again: a job that got lost is done late, and not never.
 */
export const enqueueUpcomingTimers = scheduleConsumer({
  name: 'enqueueUpcomingTimers',
  summary: 'Finds what is due soon, and what should have been done.',
  trigger: { everyMinutes: LOOK_EVERY_MINUTES },
  table: 'reads',
  sends: ['timers'],

  handle: async () => {
    const nowMs = Date.now();
    let found = 0;
    let sending: Promise<void>[] = [];
    for await (const due of listTimers(nowMs + AHEAD_MS)) {
      found++;
      sending.push(enqueueTimer(due, nowMs));
      if (sending.length < SENT_AT_ONCE) continue;
      await Promise.all(sending);
      sending = [];
    }
    await Promise.all(sending);
    log.info('Looked ahead.', { operation: 'enqueueUpcomingTimers', found });
  },
});
