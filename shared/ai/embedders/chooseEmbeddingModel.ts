/** The vector space of the selected embedder. Bundles of functions that only delete vectors contain no embedder. */
import type { EmbeddingModel } from '#shared/ai/embedder.ts';
import { LOCAL_EMBEDDING_MODEL } from '#shared/ai/embedders/local/embeddingModel.ts';
import { hashing } from '#shared/ai/embedders/local/hashing.ts';
import { bedrockEmbeddingModel } from './bedrockModels.ts';
import { oncePerChoice } from './embeddingChoice.ts';

/** @throws Error that names the variable when the configuration is invalid */
export const chooseEmbeddingModel = oncePerChoice(async (choice): Promise<EmbeddingModel> => {
  switch (choice.provider) {
    case 'hashing':
      return hashing;
    case 'local':
      return LOCAL_EMBEDDING_MODEL;
    case 'bedrock':
      return bedrockEmbeddingModel(choice);
    case 'transformers': {
      const { transformersEmbeddingModel } = await import('./transformersFolder.ts');
      return transformersEmbeddingModel(choice.folder, choice.dimensions);
    }
    case 'openai': {
      const { openai } = await import('./openai.ts');
      return openai(choice);
    }
  }
});
