/** The vector space of the selected embedder. Bundles of functions that only delete vectors contain no embedder. */
import type { VectorSpace } from './embedder.ts';
import { bedrockSpace } from './embedders/bedrockModels.ts';
import { hashing } from './embedders/hashing.ts';
import { LOCAL_SPACE } from './embedders/local/space.ts';
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
      const { transformersSpace } = await import('./embedders/transformersFolder.ts');
      return transformersSpace(choice.folder);
    }
    case 'openai': {
      const { openai } = await import('./embedders/openai.ts');
      return openai(choice);
    }
  }
});
