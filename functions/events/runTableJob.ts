import { queueConsumer } from '#shared/consumers/consumer.ts';
import { log } from '#shared/log.ts';
import { TableJobMessage } from '#shared/queues/tableJobs.ts';
import { runJob } from '#shared/tables/jobs/runJob.ts';

/** Kept free for the step in progress when the time is up. */
const RESERVE_MS = 120_000;

export const runTableJob = queueConsumer({
  name: 'runTableJob',
  summary:
    'Runs a job on a table: export, import, duplication, bulk deletion, or a refresh of computed and indexed rows.',
  trigger: { queue: 'tableJobs' },
  memoryMb: 1769,
  table: 'writes',
  objects: 'runsTableJobs',
  sends: ['tableJobs'],

  handle: async ({ Records }, context) => {
    for (const { body, attributes } of Records) {
      const message = TableJobMessage.parse(JSON.parse(body));
      const attempt = Number(attributes.ApproximateReceiveCount);
      const isTimeLeft = () => context.getRemainingTimeInMillis() > RESERVE_MS;
      const outcome = await runJob(message, { attempt, isTimeLeft });
      log.info('Processed a table job.', { operation: 'runTableJob', ...message, outcome });
    }
  },
});
