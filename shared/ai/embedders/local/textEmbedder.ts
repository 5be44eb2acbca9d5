/** Embeds English texts of any length. */
import { normalise } from '#shared/ai/vectors.ts';
import { readVocabulary, readWeights } from './readWeights.ts';
import { openEncoder, PIECES_LIMIT } from './sentenceEncoder.ts';
import { MEANING_DIMENSIONS } from './space.ts';
import { openWordPieces, type Pieces } from './wordPieces.ts';

/**
 * The largest share of unknown characters. Scripts other than Latin have at least 0.3; a sentence with an emoji stays
 * below.
 */
const UNKNOWN_LIMIT = 0.2;
/**
 * The least mean log probability of a known character, which tells English from other languages: English prose has -2.9
 * to -1.7, European languages in Latin letters have -8 to -3.6. Part numbers and code are as improbable, and have as
 * little meaning to the model.
 */
const LEAST_PROBABILITY = -3.5;
/** Longer texts are cut off, which bounds the time for one to about a second. */
const PARTS_LIMIT = 16;

/**
 * Loads the model.
 * @returns a function that returns a vector of length 1, or undefined for a text that the model cannot represent. A
 *   text of more than 128 pieces has the mean of the vectors of equal parts
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
  return known > 0 && unknownCharacters <= characters * UNKNOWN_LIMIT && logProbability >= known * LEAST_PROBABILITY;
}
