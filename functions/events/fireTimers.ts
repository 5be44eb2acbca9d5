import { setTimeout as sleep } from 'node:timers/promises';
import { queueConsumer } from '#shared/consumers/consumer.ts';
import { Timer } from '#shared/dynamodb/timers.ts';
import { log } from '#shared/log.ts';
import { fireTimer } from '#shared/timers/fireTimer.ts';

/** So much too early a job may come. */
const EARLY_MS = 5_000;

export const fireTimers = queueConsumer({
  name: 'fireTimers',
  summary:
    'Does what was scheduled when its time has come: events, messages, the expiry of states and files, the timeout of workflows, uploads and indexing.',
  trigger: { queue: 'timers' },
  table: 'writes',
  largeValues: 'writes',
  objects: 'checksFiles',

  handle: async ({ Records }) => {
    for (const { body } of Records) {
      const due = Timer.parse(JSON.parse(body));
      // The queue counts in seconds, and by its own clock.
      await sleep(Math.min(Math.max(0, due.dueMs - Date.now()), EARLY_MS));
      const outcome = await fireTimer(due, Date.now());
      log.info('Looked at what was due.', {
        operation: 'fireTimers',
        outcome,
        late: Date.now() - due.dueMs,
        sk: due.sk,
      });
    }
  },
});
