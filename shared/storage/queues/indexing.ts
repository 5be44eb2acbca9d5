import * as z from 'zod/mini';
import { environment } from '#shared/core/environment.ts';
import { enqueue } from './queue.ts';

/** The passages of a file that earlier invocations embedded. */
export const EmbeddingProgress = z.object({
  /** Another embedder starts again. */
  space: z.string(),
  passages: z.number(),
  vectors: z.number(),
});
export type EmbeddingProgress = z.infer<typeof EmbeddingProgress>;

export const IndexingJob = z.object({
  botId: z.string(),
  fileId: z.string(),
  indexingId: z.string(),
  progress: z.optional(EmbeddingProgress),
});
type IndexingJob = z.infer<typeof IndexingJob>;

export const enqueueIndexing = (job: IndexingJob): Promise<void> =>
  enqueue(environment.indexingQueueUrl, job, { tenant: job.botId });
