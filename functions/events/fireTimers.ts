import { setTimeout as sleep } from 'node:timers/promises';
import { queueConsumer } from '#shared/consumers/consumer.ts';
import { Timer } from '#shared/dynamodb/timers.ts';
import { log } from '#shared/log.ts';
import { fireTimer } from '#shared/timers/fireTimer.ts';

/** The queue delays by whole seconds and by its own clock: a job may come this much too early. */
const EARLY_MS = 5_000;

export const fireTimers = queueConsumer({
  name: 'fireTimers',
  summary:
    'Fires timers: scheduled events and messages, the expiry of states and files, the time-outs of workflows, uploads and indexing.',
  trigger: { queue: 'timers' },
  table: 'writes',
  largeValues: 'writes',
  objects: 'settlesUploads',

  handle: async ({ Records }) => {
    for (const { body } of Records) {
      const timer = Timer.parse(JSON.parse(body));
      await sleep(Math.min(Math.max(0, timer.dueMs - Date.now()), EARLY_MS));
      const outcome = await fireTimer(timer, Date.now());
      const lateMs = Date.now() - timer.dueMs;
      log.info('Processed a timer.', { operation: 'fireTimers', outcome, lateMs, sk: timer.sk });
    }
  },
});
