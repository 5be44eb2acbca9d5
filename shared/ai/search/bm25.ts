/** BM25: scores a passage by the words it shares with a query, as a fraction of the maximum. */
import { startOf } from '#shared/core/excerpt.ts';
import { isStopWord, tokenize } from '#shared/core/tokenizer.ts';

/** Limited, because terms are part of keys. */
const TERM_LENGTH = 40;

export function countTerms(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of tokenize(text)) {
    if (isStopWord(word)) continue;
    const term = startOf(word, TERM_LENGTH);
    counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  return counts;
}

export type TermWeights = ReadonlyMap<string, number>;

/**
 * Weighs terms by rarity.
 * @param frequencies number of passages with each term
 * @param passageCount number of all passages; may lag
 */
export function weighTerms(frequencies: ReadonlyMap<string, number>, passageCount: number): TermWeights {
  const all = Math.max(passageCount, ...frequencies.values());
  const rarity = (frequency: number) => Math.log(1 + (all - frequency + 0.5) / (frequency + 0.5));
  const rarities = [...frequencies].map(([term, frequency]) => [term, rarity(frequency)] as const);
  const sum = rarities.reduce((total, [, value]) => total + value, 0);
  return new Map(rarities.map(([term, value]) => [term, value / sum]));
}

/**
 * Parameters k1 and b of BM25, and the average length. An average passage that contains each term once scores two
 * thirds of the maximum. k1 is lower than for documents, because in a passage the presence of a term is decisive. `npm
 * run bench -- retrieval`: recall drops by 0.07 without the influence of length; k1 from 0.25 to 1.5 makes no
 * difference.
 */
const SATURATION = 0.5;
const LENGTH_INFLUENCE = 0.5;
const AVERAGE_LENGTH = 60;

/**
 * Returns the fraction of its weight that a term contributes, below 1.
 * @param count occurrences of the term in the passage
 * @param length occurrences of all terms in the passage
 */
export const saturate = (count: number, length: number) =>
  count / (count + SATURATION * (1 - LENGTH_INFLUENCE + (LENGTH_INFLUENCE * length) / AVERAGE_LENGTH));

export function sumCounts(counts: ReadonlyMap<string, number>): number {
  let length = 0;
  for (const count of counts.values()) length += count;
  return length;
}

/** Scores a passage's text from 0 to 1, as the index does. */
export function keywordScore(weights: TermWeights, text: string): number {
  const counts = countTerms(text);
  const length = sumCounts(counts);
  let score = 0;
  for (const [term, weight] of weights) {
    const count = counts.get(term);
    if (count !== undefined) score += weight * saturate(count, length);
  }
  return score;
}
