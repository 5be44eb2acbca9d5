/** Runs a sweep directly, without its queue. */
import { sweepDeleted } from '#functions/events/sweepDeleted.ts';
import { lambdaContext } from '#infra/local/services/lambdaContext.ts';
import { inRole } from '#infra/local/services/tableGuard.ts';
import { accessOfConsumer } from '#infra/stack/access.ts';
import type { SweepJob } from '#shared/queues/sweeps.ts';

// Captured before a test replaces it, and refused what the function's role does not allow.
const sweepNow = inRole('sweepDeleted', accessOfConsumer(sweepDeleted), sweepDeleted.handle);
/** A sweep as the queue would start it. @param pieces after so many its time is up */
export const sweep = (job: SweepJob, pieces = Number.POSITIVE_INFINITY) => {
  let looks = 0;
  const getRemainingTimeInMillis = () => (++looks > pieces ? 0 : 60_000);
  return sweepNow({ Records: [{ body: JSON.stringify(job) }] } as never, {
    ...lambdaContext('sweepDeleted', 60_000),
    getRemainingTimeInMillis,
  });
};
