import { bedrockSpace } from './embedders/bedrockModels.ts';
import { hashing } from './embedders/hashing.ts';
import { LOCAL_SPACE } from './embedders/local/space.ts';

/**
 * Spaces of vectors that an installation may have without a record of it: versions before the record used these
 * embedders, and rows have no record.
 */
export const FORMER_SPACES: readonly string[] = [
  hashing,
  LOCAL_SPACE,
  ...['amazon.titan-embed-text-v2:0', 'cohere.embed-english-v3', 'cohere.embed-multilingual-v3'].map(modelId =>
    bedrockSpace({ modelId }),
  ),
].map(({ id }) => id);
