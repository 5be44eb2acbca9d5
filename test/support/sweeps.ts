/** Runs a sweep directly, without its queue. */
import { sweepDeleted } from '#functions/events/sweepDeleted.ts';
import { lambdaContext } from '#infra/local/runtime/lambdaContext.ts';
import type { SweepJob } from '#shared/storage/queues/sweepJobs.ts';
import { handlerOf } from './inRoles.ts';

// Captured before a test replaces it, and restricted to the function's role.
const sweepNow = handlerOf(sweepDeleted);
/**
 * Runs a sweep as the queue does.
 * @param pieces number of pieces until the timeout
 */
export const sweep = (job: SweepJob, pieces = Number.POSITIVE_INFINITY) => {
  let looks = 0;
  const getRemainingTimeInMillis = () => (++looks > pieces ? 0 : 60_000);
  return sweepNow({ Records: [{ body: JSON.stringify(job) }] } as never, {
    ...lambdaContext('sweepDeleted', 60_000),
    getRemainingTimeInMillis,
  });
};
