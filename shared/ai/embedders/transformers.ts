/**
 * Runs sentence models of Hugging Face in this process with ONNX Runtime. Operators install the package, which is ten
 * times as large as all dependencies together. Nothing is downloaded at run time.
 */
import { basename, dirname } from 'node:path';
import type { Embedder } from '#shared/ai/embedder.ts';
import { normalise } from '#shared/ai/vectors.ts';
import { chunksOf } from '#shared/core/concurrency.ts';
import { fitText } from './fitText.ts';
import { readModelUse, transformersEmbeddingModel } from './transformersFolder.ts';

const PACKAGE: string = '@huggingface/transformers';
const BATCH = 16;
/** Models accept 512 tokens and truncate longer texts. */
const TEXT_LENGTH = 6_000;

interface Library {
  env: { allowRemoteModels: boolean; localModelPath: string };
  pipeline(task: 'feature-extraction', model: string, options: { dtype: 'q8' }): Promise<Extractor>;
}
type Extractor = (
  texts: readonly string[],
  options: { pooling: 'mean' | 'cls'; normalize: boolean },
) => Promise<{ data: Float32Array; dims: number[] }>;

export async function transformers(folder: string): Promise<Embedder> {
  const model = await transformersEmbeddingModel(folder);
  const { pooling, prefixes } = await readModelUse(folder);
  let extractor: Promise<Extractor> | undefined;

  async function embedBatch(texts: readonly string[]): Promise<Float32Array[]> {
    extractor ??= openExtractor(folder);
    const { data, dims } = await (await extractor)(texts, { pooling, normalize: true });
    const [count, dimensions] = dims;
    if (count !== texts.length || dimensions !== model.dimensions)
      throw new Error(`The model in ${folder} did not return one vector of ${model.dimensions} dimensions per text.`);
    return texts.map((_, i) => normalise(data.subarray(i * model.dimensions, (i + 1) * model.dimensions)));
  }

  return {
    ...model,
    likeness: 'semantic',
    async embed(texts, kind) {
      const vectors: Float32Array[] = [];
      const prefixed = texts.map(text => prefixes[kind] + fitText(text, TEXT_LENGTH));
      for (const batch of chunksOf(prefixed, BATCH)) vectors.push(...(await embedBatch(batch)));
      return vectors;
    },
  };
}

async function openExtractor(folder: string): Promise<Extractor> {
  const library: Library = await import(PACKAGE).catch(error => {
    throw new Error(`The package ${PACKAGE} is not installed. Run npm install --no-save ${PACKAGE}.`, { cause: error });
  });
  library.env.allowRemoteModels = false;
  library.env.localModelPath = dirname(folder);
  return library.pipeline('feature-extraction', basename(folder), { dtype: 'q8' });
}
