import type { VectorSpace } from '#shared/ai/embedder.ts';

/** Dimensions of the model, followed by those of the spelling (`jointVector.ts`). */
export const MEANING_DIMENSIONS = 512;
const SPELLING_DIMENSIONS = 384;
/** Raise it with every change of the vectors. */
const VERSION = 1;

const dimensions = MEANING_DIMENSIONS + SPELLING_DIMENSIONS;

export const LOCAL_SPACE: VectorSpace = { id: `local${VERSION}-${dimensions}`, dimensions };
