/** Opens the selected embedder. Functions that only need its vector space use `chooseEmbeddingModel.ts`. */
import type { Embedder } from '#shared/ai/embedder.ts';
import { hashing } from '#shared/ai/embedders/local/hashing.ts';
import { oncePerChoice } from './embeddingChoice.ts';

/**
 * Loads only the selected provider, because an SDK client takes 30 ms of a cold start. One instance per configuration.
 * @throws Error that names the variable if the configuration is invalid
 */
export const chooseEmbedder = oncePerChoice(async (choice): Promise<Embedder> => {
  switch (choice.provider) {
    case 'hashing':
      return hashing;
    case 'local': {
      const { openLocal } = await import('#shared/ai/embedders/local/localEmbedder.ts');
      return openLocal();
    }
    case 'bedrock': {
      const { bedrock } = await import('./bedrock.ts');
      return bedrock(choice);
    }
    case 'transformers': {
      const { transformers } = await import('./transformers.ts');
      return transformers(choice.folder);
    }
    case 'openai': {
      const { openai } = await import('./openai.ts');
      return openai(choice);
    }
  }
});
