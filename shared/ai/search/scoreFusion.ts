/** Fuses a passage's vector similarity and keyword score into one. */
import type { Embedder } from '#shared/ai/embedder.ts';

/**
 * The vector's share of the score. Lexical vectors know neither rarity nor meaning of words, but make up for endings
 * and spelling; their few dimensions separate less the more passages there are, hence less than half. Of the shares of
 * joint vectors, 0.8 has the best recall (`npm run bench -- retrieval`). The share of semantic models is a common
 * choice, not measured here; the same command measures a model.
 */
export const VECTOR_SHARE: Record<Embedder['likeness'], number> = { lexical: 0.4, semantic: 0.7, both: 0.8 };

/**
 * @param similarity cosine similarity; negative values count as 0. Without one, of a text that the embedder does not
 *   represent or has not embedded yet, the keywords decide alone
 * @param keywordScore from 0 to 1
 * @returns from 0 to 1, rising with both
 */
export function fuseScores(
  { similarity, keywordScore = 0 }: { similarity?: number | undefined; keywordScore?: number | undefined },
  vectorShare: number,
): number {
  if (similarity === undefined) return clamp(keywordScore);
  return vectorShare * clamp(similarity) + (1 - vectorShare) * clamp(keywordScore);
}

const clamp = (value: number) => Math.min(1, Math.max(0, value));
