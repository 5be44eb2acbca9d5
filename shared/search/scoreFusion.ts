/** One score of two: how close a passage is, and how many of the query's words it has. */
import type { Embedder } from '#shared/ai/embedder.ts';

/**
 * How much of the score is the vector's; the rest is the keywords'. A hashed vector knows words too, but neither which are
 * rare nor what they mean: it mends endings and spelling. `npm run bench -- retrieval`: from 0.2 to 0.6 recall and rank are
 * alike, and better than by either alone; the more passages, the less its few dimensions tell apart, so less than half.
 * For models it is not measured here, but taken from what is usual; the same command measures one.
 */
export const VECTOR_SHARE: Record<Embedder['likeness'], number> = { lexical: 0.4, semantic: 0.7 };

/**
 * @param similarity the cosine of the angle; one over 90° is as unlike as can be
 * @param keywordScore from 0 to 1
 * @returns from 0 to 1, and more where either is more
 */
export function fuseScores(
  { similarity = 0, keywordScore = 0 }: { similarity?: number | undefined; keywordScore?: number | undefined },
  vectorShare: number,
): number {
  return vectorShare * clamp(similarity) + (1 - vectorShare) * clamp(keywordScore);
}

const clamp = (value: number) => Math.min(1, Math.max(0, value));
