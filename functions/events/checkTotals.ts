import { queueConsumer } from '#shared/events/consumers/consumer.ts';
import { checkTotals as check } from '#shared/events/totals/checkTotals.ts';
import { TotalsJob } from '#shared/storage/queues/totalsJobs.ts';

export const checkTotals = queueConsumer({
  name: 'checkTotals',
  summary: "Compares a bot's file totals with its files, for a sample of the bots whose files change.",
  queue: 'totals',
  table: 'reads',
  partitions: { reads: ['files', 'botTotals'] },
  sends: ['totals'],
  job: TotalsJob,

  run: async job => ({ ...job, outcome: await check(job) }),
});
