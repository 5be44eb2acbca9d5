import { runJob } from '#shared/domain/tables/jobs/run/runJob.ts';
import { queueConsumer } from '#shared/events/consumers/consumer.ts';
import { TableJobMessage } from '#shared/storage/queues/tableJobs.ts';

/** Time reserved for the step in progress. */
const RESERVE_MS = 120_000;

export const runTableJob = queueConsumer({
  name: 'runTableJob',
  summary:
    'Runs a job on a table: export, import, duplication, bulk deletion, or a refresh of computed and indexed rows.',
  queue: 'tableJobs',
  memoryMb: 1769,
  table: 'writes',
  partitions: { reads: ['bots'], writes: ['files', 'tags', 'botTotals', 'gauges', 'tables'], appends: ['usage'] },
  objects: { reads: ['files'], stages: ['files'], inParts: true, deletes: ['files'] },
  sends: ['tableJobs', 'snapshots'],
  job: TableJobMessage,

  run: async (job, { attempt, timeLeftMs }) => ({
    ...job,
    outcome: await runJob(job, { attempt, isTimeLeft: () => timeLeftMs() > RESERVE_MS }),
  }),
});
