/** How well a passage answers a query by the words they share: BM25, as a part of its maximum. */
import { isStopWord, tokenize } from './tokenizer.ts';

/** It stands in a key. */
const TERM_LENGTH = 40;

/** How often each term stands in a text, but for words that are everywhere. */
export function countTerms(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of tokenize(text)) {
    if (isStopWord(word)) continue;
    const term = word.length > TERM_LENGTH ? word.slice(0, TERM_LENGTH).replace(/[\uD800-\uDBFF]$/, '') : word;
    counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  return counts;
}

/** How much each term of a query counts; together 1. */
export type TermWeights = ReadonlyMap<string, number>;

/**
 * Rare terms count more.
 * @param frequencies in how many passages each term stands
 * @param passageCount of how many; may be too few
 */
export function weighTerms(frequencies: ReadonlyMap<string, number>, passageCount: number): TermWeights {
  const all = Math.max(passageCount, ...frequencies.values());
  const rarity = (frequency: number) => Math.log(1 + (all - frequency + 0.5) / (frequency + 0.5));
  const rarities = [...frequencies].map(([term, frequency]) => [term, rarity(frequency)] as const);
  const sum = rarities.reduce((total, [, value]) => total + value, 0);
  return new Map(rarities.map(([term, value]) => [term, value / sum]));
}

/**
 * BM25's parameters k1 and b, and what it takes for a usual length. With these a usual passage that has every term of the
 * query once comes to two thirds of what is possible. Lower than for whole documents, since of a passage it says nearly
 * everything that a term stands in it at all. (`npm run bench -- retrieval`: without regard to length, recall is 0.07 less;
 * k1 from 0.25 to 1.5 are alike.)
 */
const SATURATION = 0.5;
const LENGTH_INFLUENCE = 0.5;
const USUAL_LENGTH = 60;

/**
 * What part of its weight a term contributes to a passage; never quite all.
 * @param count how often it stands there
 * @param length the terms of the passage, all counted
 */
export const saturate = (count: number, length: number) =>
  count / (count + SATURATION * (1 - LENGTH_INFLUENCE + (LENGTH_INFLUENCE * length) / USUAL_LENGTH));

export function lengthOf(counts: ReadonlyMap<string, number>): number {
  let length = 0;
  for (const count of counts.values()) length += count;
  return length;
}

/** The score of a passage by its text, from 0 to 1: the same as the index finds for it. */
export function keywordScore(weights: TermWeights, text: string): number {
  const counts = countTerms(text);
  const length = lengthOf(counts);
  let score = 0;
  for (const [term, weight] of weights) {
    const count = counts.get(term);
    if (count !== undefined) score += weight * saturate(count, length);
  }
  return score;
}
