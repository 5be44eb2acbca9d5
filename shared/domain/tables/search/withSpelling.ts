import type { Embedder } from '#shared/ai/embedder.ts';

/**
 * Replaces missing vectors with vectors of the spelling. Rows have no keyword search, so names, part numbers and texts
 * in other languages would not be found.
 */
export const withSpelling = (
  { embedSpelling }: Embedder,
  texts: readonly string[],
  vectors: readonly (Float32Array | undefined)[],
): (Float32Array | undefined)[] => vectors.map((vector, i) => vector ?? embedSpelling?.(texts[i]!));
