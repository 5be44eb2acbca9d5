/** Jobs of the totals queue: bots whose totals are compared with what they count. */
import * as z from 'zod/mini';
import { environment } from '#shared/core/environment.ts';
import { enqueue, LONGEST_DELAY_SECONDS } from './queue.ts';

export const TotalsJob = z.object({
  botId: z.string(),
  /** By how much each total differed at the last look. */
  seen: z.optional(z.record(z.string(), z.number())),
});
export type TotalsJob = z.infer<typeof TotalsJob>;

/** Looks when what happens now has been counted. */
export const enqueueTotals = (job: TotalsJob): Promise<void> =>
  enqueue(environment.totalsQueueUrl, job, { tenant: job.botId, delaySeconds: LONGEST_DELAY_SECONDS });
