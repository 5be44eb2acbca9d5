import { queueConsumer } from '#shared/consumers/consumer.ts';
import { pauseAfter } from '#shared/delivery/deliver.ts';
import { environment } from '#shared/environment.ts';
import { log } from '#shared/log.ts';
import { retryAfter } from '#shared/queues/queue.ts';
import { RowJob } from '#shared/queues/rows.ts';
import { ROW_ATTEMPTS } from '#shared/tables/changes/onRowsChanged.ts';
import { workOnRows as work } from '#shared/tables/workOnRows.ts';

/** What a row may take whose computing has begun: two calls of a language model that do not end. */
const RESERVE_MS = 150_000;

export const workOnRows = queueConsumer({
  name: 'workOnRows',
  summary: 'Computes values of rows by code, a language model or workflows of the bot, and has rows found by a search.',
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
      const isLast = attempt >= ROW_ATTEMPTS;
      try {
        const outcome = await work(job, { isLast, isTimeLeft });
        const { botId, tableId, ids } = job;
        log.info('Worked on rows.', { operation: 'workOnRows', botId, tableId, rows: ids.length, attempt, outcome });
      } catch (error) {
        // Services that are overloaded are left alone for a while, ever longer.
        if (!isLast) await retryAfter(environment.rowQueueUrl, receiptHandle, pauseAfter(attempt));
        throw error;
      }
    }
  },
});
