import * as z from 'zod/mini';

/** The passages of a file that earlier invocations embedded. */
export const EmbeddingProgress = z.object({
  /** Another embedder starts again. */
  space: z.string(),
  passages: z.number(),
  vectors: z.number(),
});
export type EmbeddingProgress = z.infer<typeof EmbeddingProgress>;
