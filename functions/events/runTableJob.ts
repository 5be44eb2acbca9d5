import { queueConsumer } from '#shared/consumers/consumer.ts';
import { log } from '#shared/log.ts';
import { JobMessage } from '#shared/queues/tableJobs.ts';
import { runJob } from '#shared/tables/jobs/runJob.ts';

/** Left for the step that is under way when the time is up. */
const RESERVE_MS = 120_000;

export const runTableJob = queueConsumer({
  name: 'runTableJob',
  summary:
    'Works on a job on a table: exports, imports and copies its rows, deletes many of them, or has them computed and indexed anew.',
  trigger: { queue: 'tableJobs' },
  memoryMb: 1769,
  table: 'writes',
  objects: 'runsTableJobs',
  sends: ['tableJobs'],

  handle: async ({ Records }, context) => {
    for (const { body, attributes } of Records) {
      const message = JobMessage.parse(JSON.parse(body));
      const attempt = Number(attributes.ApproximateReceiveCount);
      const isTimeLeft = () => context.getRemainingTimeInMillis() > RESERVE_MS;
      const outcome = await runJob(message, { attempt, isTimeLeft });
      log.info('Worked on a job on a table.', { operation: 'runTableJob', ...message, outcome });
    }
  },
});
