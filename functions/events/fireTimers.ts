import { clock } from '#shared/core/clock.ts';
import { measured } from '#shared/core/metrics.ts';
import { queueConsumer } from '#shared/events/consumers/consumer.ts';
import { fireTimer } from '#shared/events/timers/fireTimer.ts';
import { Timer } from '#shared/storage/dynamodb/timers/timers.ts';

/** SQS delays by whole seconds and by its own clock. */
const EARLY_MS = 5_000;

export const fireTimers = queueConsumer({
  name: 'fireTimers',
  summary:
    'Fires timers: scheduled and recurring events, scheduled messages, expiry of states and files, timeouts of workflows, ends of snoozes, uploads and indexing, and retries of pending deliveries.',
  queue: 'timers',
  table: 'writes',
  partitions: {
    // `endpoints`: circuit breakers and pending deliveries.
    reads: ['integrations', 'pausedConversations'],
    writes: [
      // `bots`: due registrations.
      ...(['bots', 'recurringEvents', 'conversations', 'users', 'workflows', 'states', 'endpoints'] as const),
      ...(['files', 'tags', 'botTotals', 'gauges'] as const),
    ],
    appends: ['usage'],
  },
  largeValues: 'writes',
  objects: { reads: ['uploads'], writes: ['files'], deletes: ['uploads'] },
  // Jobs of the deliveries queue resume paused conversations.
  sends: ['deliveries'],
  job: Timer,

  run: async timer => {
    await clock.sleep(Math.min(Math.max(0, timer.dueMs - clock.now()), EARLY_MS));
    const outcome = await fireTimer(timer, clock.now());
    const timerLateMs = Math.max(0, clock.now() - timer.dueMs);
    return { outcome, sk: timer.sk, ...(outcome === 'done' ? measured({ timerLateMs }) : {}) };
  },
});
