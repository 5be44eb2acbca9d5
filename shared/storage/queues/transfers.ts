/** Jobs of the queue of transfers: what an import has to make anew, and exports that members asked for. */
import * as z from 'zod/mini';
import { environment } from '#shared/core/environment.ts';
import { enqueue } from './queue.ts';

export const TransferJob = z.discriminatedUnion('task', [
  /** Finds what is to be made anew of an imported workspace. */
  z.object({ task: z.literal('rebuild'), workspaceId: z.string() }),
  /** Makes a part of it. `after` is where the former job ended. */
  z.object({
    task: z.literal('rebuildFiles'),
    workspaceId: z.string(),
    botId: z.string(),
    after: z.optional(z.record(z.string(), z.any())),
  }),
  z.object({
    task: z.literal('rebuildRows'),
    workspaceId: z.string(),
    botId: z.string(),
    tableId: z.string(),
    after: z.optional(z.number()),
  }),
  z.object({ task: z.literal('export'), workspaceId: z.string(), position: z.string() }),
]);
export type TransferJob = z.infer<typeof TransferJob>;

/** @param delaySeconds at most 900 */
export const enqueueTransfer = (job: TransferJob, delaySeconds = 0): Promise<void> =>
  enqueue(environment.transferQueueUrl, job, { tenant: job.workspaceId, delaySeconds });
