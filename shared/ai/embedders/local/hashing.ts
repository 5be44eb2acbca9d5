/**
 * Embeds words and their n-grams by feature hashing, without a model (Weinberger et al., Feature Hashing for Large
 * Scale Multitask Learning, 2009). Similarity is of spelling, not of meaning: *car* is close to *cars* and *carr*, and
 * no closer to *automobile* than to *cheese*.
 */
import type { Embedder } from '#shared/ai/embedder.ts';
import { normalise } from '#shared/ai/vectors.ts';
import { isStopWord, tokenize } from '#shared/core/tokenizer.ts';

const DIMENSIONS = 384;
/** Part of the model's id. Increment it with every change of the vectors. */
const VERSION = 1;
const PIECE_LENGTHS = [3, 4, 5];

export const hashing: Embedder = {
  id: `hashing${VERSION}-${DIMENSIONS}`,
  dimensions: DIMENSIONS,
  likeness: 'lexical',
  async embed(texts) {
    return texts.map(hashWords);
  },
};

export function hashWords(text: string): Float32Array {
  const words = tokenize(text);
  const significant = words.filter(word => !isStopWord(word));
  const counts = new Map<string, number>();
  for (const word of significant.length > 0 ? significant : words) counts.set(word, (counts.get(word) ?? 0) + 1);

  const sums = new Float64Array(DIMENSIONS);
  for (const [word, count] of counts) {
    // Longer words are rarer in every language.
    const weight = (1 + Math.log(count)) * Math.sqrt(word.length);
    add(sums, hash(word, 0, word.length, 1), weight);
    addPieces(sums, `^${word}$`, weight);
  }
  if (sums.every(value => value === 0)) sums[0] = 1;
  return normalise(sums);
}

function addPieces(sums: Float64Array, word: string, weight: number): void {
  let pieces = 0;
  for (const length of PIECE_LENGTHS) pieces += Math.max(0, word.length - length + 1);
  // All pieces together weigh as much as the word. Their directions differ, so their squares add up.
  const each = weight / Math.sqrt(pieces);
  for (const length of PIECE_LENGTHS) {
    for (let start = 0; start + length <= word.length; start++) add(sums, hash(word, start, start + length, 2), each);
  }
}

/** Half of all features are negative, so that collisions cancel out on average. */
function add(sums: Float64Array, feature: number, weight: number): void {
  sums[(feature >>> 1) % DIMENSIONS]! += feature & 1 ? weight : -weight;
}

/** FNV-1a with the finalizer of MurmurHash3, without which similar texts have similar low bits. */
function hash(text: string, start: number, end: number, seed: number): number {
  let value = 0x811c9dc5 ^ seed;
  for (let i = start; i < end; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
