/** Jobs of the snapshot queue: tables whose rows queries want in a file. */
import * as z from 'zod/mini';
import { environment } from '#shared/core/environment.ts';

export const SnapshotJob = z.object({
  botId: z.string(),
  tableId: z.string(),
  /** The revision of the snapshot that was found; -1 for none. */
  seen: z.number(),
  /** The object of that snapshot is gone or damaged. */
  isLost: z.boolean(),
});
export type SnapshotJob = z.infer<typeof SnapshotJob>;

/** @param delaySeconds at most 900 */
export async function enqueueSnapshot(job: SnapshotJob, delaySeconds = 0): Promise<void> {
  // Few queries ask for one.
  const { enqueue } = await import('./queue.ts');
  await enqueue(environment.snapshotQueueUrl, job, { tenant: job.botId, delaySeconds });
}
