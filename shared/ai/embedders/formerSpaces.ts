import { hashing } from '#shared/ai/embedders/local/hashing.ts';
import { LOCAL_SPACE } from '#shared/ai/embedders/local/space.ts';
import { bedrockSpace } from './bedrockModels.ts';

/**
 * Vector spaces that may be in use without a record. Earlier versions did not record the space of files. Rows have no
 * such record.
 */
export const FORMER_SPACES: readonly string[] = [
  hashing,
  LOCAL_SPACE,
  ...['amazon.titan-embed-text-v2:0', 'cohere.embed-english-v3', 'cohere.embed-multilingual-v3'].map(modelId =>
    bedrockSpace({ modelId }),
  ),
].map(({ id }) => id);
