import * as z from 'zod/mini';
import { environment } from '#shared/core/environment.ts';

export const SnapshotJob = z.object({
  botId: z.string(),
  tableId: z.string(),
  /** Revision of the existing snapshot, -1 for none. */
  seen: z.number(),
  /** The object of that snapshot is missing or damaged. */
  isLost: z.boolean(),
});
export type SnapshotJob = z.infer<typeof SnapshotJob>;

export async function enqueueSnapshot(job: SnapshotJob, delaySeconds = 0): Promise<void> {
  // Imported lazily, because few queries request a snapshot.
  const { enqueue } = await import('./queue.ts');
  await enqueue(environment.snapshotQueueUrl, job, { tenant: job.botId, delaySeconds });
}
