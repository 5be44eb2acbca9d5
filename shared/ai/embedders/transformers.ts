/**
 * Runs sentence models of Hugging Face in a thread of this process. The operator downloads a model once; nothing is
 * downloaded at run time.
 */
import type { Embedder } from '#shared/ai/embedder.ts';
import { fitText } from './fitText.ts';
import { openModelThread } from './sentenceModels/openModelThread.ts';
import { readModelUse, transformersEmbeddingModel } from './transformersFolder.ts';

/** Models accept 512 tokens and truncate longer texts. */
const TEXT_LENGTH = 6_000;

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
