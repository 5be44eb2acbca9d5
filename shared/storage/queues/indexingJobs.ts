import * as z from 'zod/mini';
import { EmbeddingProgress } from '#shared/core/embeddingProgress.ts';
import { environment } from '#shared/core/environment.ts';
import { UnreadTexts } from '#shared/core/unreadTexts.ts';
import { enqueue } from './queue.ts';

export const IndexingJob = z.object({
  botId: z.string(),
  fileId: z.string(),
  indexingId: z.string(),
  progress: z.optional(EmbeddingProgress),
  unread: z.optional(UnreadTexts),
});
type IndexingJob = z.infer<typeof IndexingJob>;

export const enqueueIndexing = (job: IndexingJob): Promise<void> =>
  enqueue(environment.indexingQueueUrl, job, { tenant: job.botId });
