import * as z from 'zod/mini';

export const EmbeddingProgress = z.object({
  space: z.string(),
  passages: z.number(),
  vectors: z.number(),
});
export type EmbeddingProgress = z.infer<typeof EmbeddingProgress>;
