import { scheduleConsumer } from '#shared/consumers/consumer.ts';
import { listTimers } from '#shared/dynamodb/timers.ts';
import { AHEAD_MS, enqueueTimer, LOOK_EVERY_MINUTES } from '#shared/queues/timers.ts';

const SENT_AT_ONCE = 25;

/** Overdue timers are enqueued again: one whose job got lost fires late rather than never. */
export const enqueueUpcomingTimers = scheduleConsumer({
  name: 'enqueueUpcomingTimers',
  summary: 'Enqueues the timers that fire within the next quarter of an hour, and overdue ones again.',
  everyMinutes: LOOK_EVERY_MINUTES,
  table: 'reads',
  sends: ['timers'],

  run: async () => {
    const nowMs = Date.now();
    let found = 0;
    let sending: Promise<void>[] = [];
    for await (const timer of listTimers(nowMs + AHEAD_MS)) {
      found++;
      sending.push(enqueueTimer(timer, nowMs));
      if (sending.length < SENT_AT_ONCE) continue;
      await Promise.all(sending);
      sending = [];
    }
    await Promise.all(sending);
    return { found };
  },
});
