import { FORMER_LOCAL_MODEL_ID, LOCAL_EMBEDDING_MODEL } from '#shared/ai/embedders/local/embeddingModel.ts';
import { hashing } from '#shared/ai/embedders/local/hashing.ts';
import { bedrockEmbeddingModel } from './bedrockModels.ts';

/**
 * Vector spaces that may be in use without a record. Earlier versions did not record the space of files. Rows have no
 * such record.
 */
export const FORMER_MODELS: readonly string[] = [
  hashing,
  LOCAL_EMBEDDING_MODEL,
  ...['amazon.titan-embed-text-v2:0', 'cohere.embed-english-v3', 'cohere.embed-multilingual-v3'].map(modelId =>
    bedrockEmbeddingModel({ modelId }),
  ),
]
  .map(({ id }) => id)
  .concat(FORMER_LOCAL_MODEL_ID);
