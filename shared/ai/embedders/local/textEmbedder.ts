import { normalise } from '#shared/ai/vectors.ts';
import { MEANING_DIMENSIONS } from './embeddingModel.ts';
import { readVocabulary, readWeights } from './readWeights.ts';
import { openEncoder, PIECES_LIMIT } from './sentenceEncoder.ts';
import { openWordPieces, type Pieces } from './wordPieces.ts';

/**
 * Maximum share of unknown characters. Texts in non-Latin scripts have at least 0.3, a Latin sentence with an emoji
 * less.
 */
const UNKNOWN_LIMIT = 0.2;
/**
 * Minimum mean log probability of known characters. English prose has -2.9 to -1.7. Other European languages in Latin
 * letters have -8 to -3.6, and so do part numbers and code, which the model cannot represent either.
 */
const MIN_PROBABILITY = -3.5;
/** Longer texts are truncated. A text of this length takes about a second. */
const PARTS_LIMIT = 16;

/**
 * Loads the model.
 * @returns a function from a text to a unit vector, undefined for a text that the model cannot represent. A text of
 * more than 128 pieces has the mean vector of equal parts
 */
export function openTextEmbedder(): (text: string) => Float32Array | undefined {
  const split = openWordPieces(readVocabulary());
  const encode = openEncoder(readWeights());
  return text => {
    const pieces = split(text);
    if (!isEnglish(pieces)) return undefined;
    const ids = pieces.ids.slice(0, PARTS_LIMIT * PIECES_LIMIT);
    const length = Math.ceil(ids.length / Math.ceil(ids.length / PIECES_LIMIT));
    const sum = new Float32Array(MEANING_DIMENSIONS);
    for (let start = 0; start < ids.length; start += length) {
      const vector = encode(ids.slice(start, start + length));
      for (let i = 0; i < MEANING_DIMENSIONS; i++) sum[i]! += vector[i]!;
    }
    return normalise(sum);
  };
}

export function isEnglish({ characters, unknownCharacters, logProbability }: Pieces): boolean {
  const known = characters - unknownCharacters;
  return known > 0 && unknownCharacters <= characters * UNKNOWN_LIMIT && logProbability >= known * MIN_PROBABILITY;
}
