import { clock } from '#shared/core/clock.ts';
import { queueConsumer } from '#shared/events/consumers/consumer.ts';
import { runCodeJob } from '#shared/outbound/code/rollOut.ts';
import { CodeJob } from '#shared/storage/queues/codeJobs.ts';

export const deployCode = queueConsumer({
  name: 'deployCode',
  summary:
    'Deploys the code of a bot or integration as a function, routes calls to it, and deletes the previous function.',
  queue: 'code',
  table: 'writes',
  partitions: { writes: ['bots', 'integrations'], appends: ['logs'] },
  objects: { reads: ['assets'] },
  secrets: 'opens',
  code: 'deploys',
  sends: ['code'],
  job: CodeJob,

  run: async (job, { isLast }) => ({ ...job, outcome: await runCodeJob(job, { nowMs: clock.now(), isLast }) }),
});
