import type { EmbeddingModel } from '#shared/ai/embedder.ts';

export const MEANING_DIMENSIONS = 512;
const SPELLING_DIMENSIONS = 384;
/** Increment it with every change of the vectors. */
const VERSION = 1;

const dimensions = MEANING_DIMENSIONS + SPELLING_DIMENSIONS;

export const LOCAL_EMBEDDING_MODEL: EmbeddingModel = { id: `local${VERSION}-${dimensions}`, dimensions };
