import { workOnRows as work } from '#shared/domain/tables/compute/workOnRows.ts';
import { queueConsumer } from '#shared/events/consumers/consumer.ts';
import { RowJob } from '#shared/storage/queues/rowJobs.ts';

/** Maximum time for a row: two calls of a language model that time out. */
const RESERVE_MS = 150_000;

export const workOnRows = queueConsumer({
  name: 'workOnRows',
  summary: 'Computes column values of rows by code, a language model or a workflow, and indexes rows for search.',
  queue: 'rows',
  memoryMb: 1769,
  table: 'writes',
  partitions: {
    reads: ['bots'],
    writes: ['conversations', 'users', 'workflows', 'tables', 'tags'],
    appends: ['gauges', 'usage'],
  },
  largeValues: 'writes',
  index: 'writes',
  model: 'invokes',
  sends: ['rows', 'snapshots'],
  job: RowJob,

  run: async (job, { isLast, timeLeftMs }) => {
    const { botId, tableId, ids } = job;
    const outcome = await work(job, { isLast, isTimeLeft: () => timeLeftMs() > RESERVE_MS });
    return { botId, tableId, rows: ids.length, outcome };
  },
});
