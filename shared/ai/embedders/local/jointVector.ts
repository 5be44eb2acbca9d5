/**
 * Concatenates the vectors of a text's meaning and spelling. Spelling distinguishes names, numbers and rare words that
 * the model cannot represent.
 */

import { LOCAL_EMBEDDING_MODEL, MEANING_DIMENSIONS } from './embeddingModel.ts';
import { hashWords } from './hashing.ts';

const MEANING_SHARE = 0.7;

export function joinSpelling(meaning: Float32Array, text: string): Float32Array {
  const joint = new Float32Array(LOCAL_EMBEDDING_MODEL.dimensions);
  joint.set(scale(meaning, Math.sqrt(MEANING_SHARE)));
  joint.set(scale(hashWords(text), Math.sqrt(1 - MEANING_SHARE)), MEANING_DIMENSIONS);
  return joint;
}

/** Returns a vector whose cosine with a joint vector is a fraction of the cosine of their spellings. */
export function spellingOnly(text: string): Float32Array {
  const vector = new Float32Array(LOCAL_EMBEDDING_MODEL.dimensions);
  vector.set(hashWords(text), MEANING_DIMENSIONS);
  return vector;
}

const scale = (vector: Float32Array, factor: number) => vector.map(value => value * factor);
