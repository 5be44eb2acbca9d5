/**
 * Runs sentence models of Hugging Face in a worker thread. The operator downloads a model once with `npm run model`.
 * Nothing is downloaded at run time.
 */
import type { Embedder } from '#shared/ai/embedder.ts';
import { fitText } from './fitText.ts';
import { openModelThread, TEXT_LENGTH } from './sentenceModels/openModelThread.ts';
import { readModelUse, transformersEmbeddingModel } from './transformersFolder.ts';

export async function transformers(folder: string): Promise<Embedder> {
  const model = await transformersEmbeddingModel(folder);
  const { pooling, prefixes } = await readModelUse(folder);
  const embed = openModelThread({ folder, pooling });
  return {
    ...model,
    likeness: 'semantic',
    embed: (texts, kind, tenant) =>
      embed(
        texts.map(text => prefixes[kind] + fitText(text, TEXT_LENGTH)),
        kind,
        tenant,
      ),
  };
}
