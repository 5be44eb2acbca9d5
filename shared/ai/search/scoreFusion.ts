import type { Embedder } from '#shared/ai/embedder.ts';

/**
 * Share of the vector in the score. Lexical vectors match endings and spelling variants, but ignore rarity and meaning,
 * and separate less the more passages there are. For joint vectors, 0.8 has the best recall (`npm run bench --
 * retrieval`). The share for semantic models is a common choice, not measured here.
 */
export const VECTOR_SHARE: Record<Embedder['likeness'], number> = { lexical: 0.4, semantic: 0.7, both: 0.8 };

/**
 * @param similarity cosine similarity; negative values count as 0. Without one, only keywords count
 * @param keywordScore from 0 to 1
 * @returns from 0 to 1, increasing with both
 */
export function fuseScores(
  { similarity, keywordScore = 0 }: { similarity?: number | undefined; keywordScore?: number | undefined },
  vectorShare: number,
): number {
  if (similarity === undefined) return clamp(keywordScore);
  return vectorShare * clamp(similarity) + (1 - vectorShare) * clamp(keywordScore);
}

const clamp = (value: number) => Math.min(1, Math.max(0, value));
