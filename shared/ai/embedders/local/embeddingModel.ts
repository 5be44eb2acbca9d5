import type { EmbeddingModel } from '#shared/ai/embedder.ts';

export const MEANING_DIMENSIONS = 384;
const SPELLING_DIMENSIONS = 384;
/** Increment it with every change of the vectors. */
const VERSION = 2;

const dimensions = MEANING_DIMENSIONS + SPELLING_DIMENSIONS;

export const LOCAL_EMBEDDING_MODEL: EmbeddingModel = { id: `local${VERSION}-${dimensions}`, dimensions };

/** The model of earlier releases, Universal Sentence Encoder lite. Stored vectors may still belong to it. */
export const FORMER_LOCAL_MODEL_ID = 'local1-896';
