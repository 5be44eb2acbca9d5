import * as z from 'zod/mini';
import { EmbeddingProgress } from '#shared/core/embeddingProgress.ts';
import { environment } from '#shared/core/environment.ts';
import { enqueue } from './queue.ts';

export const TransferJob = z.discriminatedUnion('task', [
  z.object({ task: z.literal('rebuild'), workspaceId: z.string() }),
  /** Rebuilds a part. `after` is the end of the previous job. */
  z.object({
    task: z.literal('rebuildFiles'),
    workspaceId: z.string(),
    botId: z.string(),
    after: z.optional(z.record(z.string(), z.any())),
    /** The next file with the progress of its embedding, if its indexing has started. */
    begun: z.optional(z.object({ fileId: z.string(), progress: EmbeddingProgress })),
  }),
  z.object({
    task: z.literal('rebuildUsers'),
    workspaceId: z.string(),
    botId: z.string(),
    /** Sort key of the last user. */
    after: z.optional(z.string()),
  }),
  z.object({
    task: z.literal('rebuildRows'),
    workspaceId: z.string(),
    botId: z.string(),
    tableId: z.string(),
    after: z.optional(z.number()),
  }),
  /** Continues the reindexing from its record. */
  z.object({ task: z.literal('reindex'), workspaceId: z.string(), requestId: z.string() }),
  z.object({ task: z.literal('export'), workspaceId: z.string(), position: z.string() }),
]);
export type TransferJob = z.infer<typeof TransferJob>;

export const enqueueTransfer = (job: TransferJob, delaySeconds = 0): Promise<void> =>
  enqueue(environment.transferQueueUrl, job, { tenant: job.workspaceId, delaySeconds });
