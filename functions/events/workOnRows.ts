import { queueConsumer } from '#shared/consumers/consumer.ts';
import { environment } from '#shared/environment.ts';
import { log } from '#shared/log.ts';
import { pauseAfter } from '#shared/queues/backoff.ts';
import { retryAfter } from '#shared/queues/queue.ts';
import { RowJob } from '#shared/queues/rows.ts';
import { QUEUES } from '#shared/queues/settings.ts';
import { workOnRows as work } from '#shared/tables/changes/workOnRows.ts';

/** The longest time for one row once it has begun: two calls of a language model that time out. */
const RESERVE_MS = 150_000;

export const workOnRows = queueConsumer({
  name: 'workOnRows',
  summary: 'Computes column values of rows by code, a language model or a workflow, and indexes rows for search.',
  trigger: { queue: 'rows' },
  memoryMb: 1769,
  table: 'writes',
  largeValues: 'writes',
  index: 'writes',
  model: true,
  sends: ['rows'],

  handle: async ({ Records }, context) => {
    const isTimeLeft = () => context.getRemainingTimeInMillis() > RESERVE_MS;
    for (const { body, receiptHandle, attributes } of Records) {
      const job = RowJob.parse(JSON.parse(body));
      const attempt = Number(attributes.ApproximateReceiveCount ?? 1);
      const isLast = attempt >= QUEUES.rows.maxReceives;
      try {
        const outcome = await work(job, { isLast, isTimeLeft });
        const { botId, tableId, ids } = job;
        log.info('Processed rows.', { operation: 'workOnRows', botId, tableId, rows: ids.length, attempt, outcome });
      } catch (error) {
        // Overloaded services get ever longer pauses.
        if (!isLast) await retryAfter(environment.rowQueueUrl, receiptHandle, pauseAfter(attempt));
        throw error;
      }
    }
  },
});
