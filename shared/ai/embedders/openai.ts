import * as z from 'zod/mini';
import type { Embedder } from '#shared/ai/embedder.ts';
import { type PostOptions, parseJson, postJson, RequestRejectedError } from '#shared/ai/postJson.ts';
import { normalise } from '#shared/ai/vectors.ts';
import { chunksOf, mapConcurrently } from '#shared/core/concurrency.ts';
import { startOf } from '#shared/core/excerpt.ts';
import { embeddingModelId } from './embeddingModelId.ts';
import { fitText } from './fitText.ts';

const BATCH = 64;
const CONCURRENT_BATCHES = 4;
/** Models accept 8,192 tokens. Local servers truncate to their own limit. */
const TEXT_LENGTH = 6_000;

const Answer = z.object({ data: z.array(z.object({ index: z.number(), embedding: z.array(z.number()) })) });

export interface OpenAiOptions extends PostOptions {
  baseUrl: string;
  model: string;
  /** Requested size. By default, a first call determines the model's size. */
  dimensions?: number | undefined;
}

/**
 * @throws ThrottledError when the endpoint is overloaded or unavailable
 * @throws Error that names the endpoint when it rejects the request or its response is invalid
 */
export async function openai(options: OpenAiOptions): Promise<Embedder> {
  const { model, dimensions: requested } = options;
  const dimensions = requested ?? (await embedBatch(['-'], options))[0]!.length;
  return {
    id: embeddingModelId(model, dimensions),
    dimensions,
    likeness: 'semantic',
    async embed(texts) {
      const batches = chunksOf(
        texts.map(text => fitText(text, TEXT_LENGTH)),
        BATCH,
      );
      const vectors = (await mapConcurrently(batches, CONCURRENT_BATCHES, batch => embedBatch(batch, options))).flat();
      const other = vectors.find(({ length }) => length !== dimensions);
      if (other) throw new Error(`${model} returned a vector of ${other.length} dimensions instead of ${dimensions}.`);
      return vectors;
    },
  };
}

async function embedBatch(input: readonly string[], options: OpenAiOptions): Promise<Float32Array[]> {
  const { model, dimensions, baseUrl } = options;
  const body = { model, input, encoding_format: 'float', ...(dimensions ? { dimensions } : {}) };
  const text = await postJson(`${baseUrl.replace(/\/$/, '')}/embeddings`, body, options).catch(error => {
    throw error instanceof RequestRejectedError
      ? new Error(`${baseUrl} rejected the request: ${error.message}`)
      : error;
  });
  const answer = Answer.safeParse(parseJson(text));
  if (!answer.success) throw new Error(`${baseUrl} did not return embeddings: ${startOf(text, 200)}`);
  const data = answer.data.data.toSorted((a, b) => a.index - b.index);
  if (data.length !== input.length || data.some(({ index }, i) => index !== i)) {
    throw new Error(`${baseUrl} returned ${data.length} embeddings for ${input.length} texts.`);
  }
  return data.map(({ embedding }) => normalise(embedding));
}
