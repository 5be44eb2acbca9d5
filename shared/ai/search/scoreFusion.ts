/** Fuses a passage's vector similarity and keyword score into one. */
import type { Embedder } from '#shared/ai/embedder.ts';

/**
 * The vector's share of the score. Lexical vectors know neither rarity nor meaning of words, but make up for endings
 * and spelling. `npm run bench -- retrieval`: shares from 0.2 to 0.6 have the same recall and rank, better than either
 * score alone; their few dimensions separate less the more passages there are, hence less than half. The share of
 * semantic models is a common choice, not measured here; the same command measures a model.
 */
export const VECTOR_SHARE: Record<Embedder['likeness'], number> = { lexical: 0.4, semantic: 0.7, both: 0.8 };

/**
 * @param similarity cosine similarity; negative values count as 0
 * @param keywordScore from 0 to 1
 * @returns from 0 to 1, rising with both
 */
export function fuseScores(
  { similarity = 0, keywordScore = 0 }: { similarity?: number | undefined; keywordScore?: number | undefined },
  vectorShare: number,
): number {
  return vectorShare * clamp(similarity) + (1 - vectorShare) * clamp(keywordScore);
}

const clamp = (value: number) => Math.min(1, Math.max(0, value));
