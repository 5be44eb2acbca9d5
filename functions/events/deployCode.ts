import { clock } from '#shared/core/clock.ts';
import { queueConsumer } from '#shared/events/consumers/consumer.ts';
import { runCodeJob } from '#shared/outbound/code/rollOut.ts';
import { CodeJob } from '#shared/storage/queues/code.ts';

export const deployCode = queueConsumer({
  name: 'deployCode',
  summary: 'Makes a function of the code of a bot or integration, lets it take calls, and removes the former one.',
  queue: 'code',
  table: 'writes',
  partitions: { writes: ['bots', 'integrations'], appends: ['logs'] },
  objects: 'readsCode',
  secrets: 'opens',
  code: 'deploys',
  sends: ['code'],
  job: CodeJob,

  run: async job => ({ ...job, outcome: await runCodeJob(job, clock.now()) }),
});
