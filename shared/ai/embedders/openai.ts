/** Any endpoint that embeds as OpenAI's does: Ollama, vLLM, LM Studio, OpenAI itself. */
import * as z from 'zod/mini';
import type { Embedder } from '#shared/ai/embedder.ts';
import { type Asking, parseJson, postJson, RequestRejectedError } from '#shared/ai/postJson.ts';
import { normalise } from '#shared/ai/vectors.ts';
import { chunksOf, mapConcurrently } from '#shared/concurrency.ts';
import { fitText } from './fitText.ts';
import { spaceId } from './spaceId.ts';

const BATCH = 64;
const BATCHES_AT_ONCE = 4;
/** Models take 8,192 tokens, and local servers cut by themselves what is more than theirs take. */
const TEXT_LENGTH = 6_000;

const Answer = z.object({ data: z.array(z.object({ index: z.number(), embedding: z.array(z.number()) })) });

export interface OpenAiOptions extends Asking {
  /** Up to `/embeddings`, which is added: `http://localhost:11434/v1`. */
  baseUrl: string;
  model: string;
  /** Asked for, where a model has several; without it, a first call finds out. */
  dimensions?: number | undefined;
}

/** @throws Throttled while the endpoint is overloaded or away; an Error that names it when it refuses, or answers wrongly */
export async function openai(options: OpenAiOptions): Promise<Embedder> {
  const { model, dimensions: wanted } = options;
  const dimensions = wanted ?? (await embedBatch(['-'], options))[0]!.length;
  return {
    id: spaceId(model, dimensions),
    dimensions,
    likeness: 'ofMeaning',
    async embed(texts) {
      const batches = chunksOf(
        texts.map(text => fitText(text, TEXT_LENGTH)),
        BATCH,
      );
      const vectors = (await mapConcurrently(batches, BATCHES_AT_ONCE, batch => embedBatch(batch, options))).flat();
      const other = vectors.find(({ length }) => length !== dimensions);
      if (other) throw new Error(`${model} answered a vector of ${other.length} dimensions instead of ${dimensions}.`);
      return vectors;
    },
  };
}

async function embedBatch(input: readonly string[], options: OpenAiOptions): Promise<Float32Array[]> {
  const { model, dimensions, baseUrl } = options;
  const body = { model, input, encoding_format: 'float', ...(dimensions ? { dimensions } : {}) };
  const text = await postJson(`${baseUrl.replace(/\/$/, '')}/embeddings`, body, options).catch(error => {
    throw error instanceof RequestRejectedError ? new Error(`${baseUrl} refused to embed, ${error.message}`) : error;
  });
  const answer = Answer.safeParse(parseJson(text));
  if (!answer.success) throw new Error(`${baseUrl} did not answer with embeddings: ${text.slice(0, 200)}`);
  const data = answer.data.data.toSorted((a, b) => a.index - b.index);
  if (data.length !== input.length || data.some(({ index }, i) => index !== i)) {
    throw new Error(`${baseUrl} answered ${data.length} embeddings to ${input.length} texts.`);
  }
  return data.map(({ embedding }) => normalise(embedding));
}
