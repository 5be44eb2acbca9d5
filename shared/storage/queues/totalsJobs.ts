import * as z from 'zod/mini';
import { environment } from '#shared/core/environment.ts';
import { enqueue } from './queue.ts';
import { MAX_DELAY_SECONDS } from './queueSettings.ts';

export const TotalsJob = z.object({
  botId: z.string(),
  /** Differences of the previous check, by total. */
  seen: z.optional(z.record(z.string(), z.number())),
});
export type TotalsJob = z.infer<typeof TotalsJob>;

/** Delays the check until current changes have been counted. */
export const enqueueTotals = (job: TotalsJob): Promise<void> =>
  enqueue(environment.totalsQueueUrl, job, { tenant: job.botId, delaySeconds: MAX_DELAY_SECONDS });
