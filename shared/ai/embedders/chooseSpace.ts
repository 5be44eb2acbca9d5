/** The vector space of the selected embedder. Bundles of functions that only delete vectors contain no embedder. */
import type { VectorSpace } from '#shared/ai/embedder.ts';
import { hashing } from '#shared/ai/embedders/local/hashing.ts';
import { LOCAL_SPACE } from '#shared/ai/embedders/local/space.ts';
import { bedrockSpace } from './bedrockModels.ts';
import { oncePerChoice } from './embeddingChoice.ts';

/** @throws Error that names the variable when the configuration is invalid */
export const chooseSpace = oncePerChoice(async (choice): Promise<VectorSpace> => {
  switch (choice.provider) {
    case 'hashing':
      return hashing;
    case 'local':
      return LOCAL_SPACE;
    case 'bedrock':
      return bedrockSpace(choice);
    case 'transformers': {
      const { transformersSpace } = await import('./transformersFolder.ts');
      return transformersSpace(choice.folder, choice.dimensions);
    }
    case 'openai': {
      const { openai } = await import('./openai.ts');
      return openai(choice);
    }
  }
});
