import { setTimeout as sleep } from 'node:timers/promises';
import { doDue } from '#shared/timers/fireTimer.ts';
import { log } from '#shared/log.ts';
import { queueReaction } from '#shared/consumers/consumer.ts';
import { Due } from '#shared/dynamodb/timers.ts';

/** So much too early a job may come. */
const EARLY_MS = 5_000;

export const doWhatIsDue = queueReaction({
  name: 'doWhatIsDue',
  summary:
    'Does what was scheduled when its time has come: events, messages, the expiry of states and files, the timeout of workflows, uploads and indexing.',
  trigger: { queue: 'due' },
  table: 'writes',
  bigValues: 'writes',
  objects: 'checksFiles',

  handle: async ({ Records }) => {
    for (const { body } of Records) {
      const due = Due.parse(JSON.parse(body));
      // The queue counts in seconds, and by its own clock.
      await sleep(Math.min(Math.max(0, due.dueMs - Date.now()), EARLY_MS));
      const outcome = await doDue(due, Date.now());
      log.info('Looked at what was due.', {
        operation: 'doWhatIsDue',
        outcome,
        late: Date.now() - due.dueMs,
        sk: due.sk,
      });
    }
  },
});
