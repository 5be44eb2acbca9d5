/** Any endpoint that embeds as OpenAI's does: Ollama, vLLM, LM Studio, OpenAI itself. */
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { chunksOf, mapConcurrently } from '../batches.ts';
import type { Embedder } from '../embedder.ts';
import { Throttled } from '../throttled.ts';
import { normalise } from '../vectors.ts';
import { fitText } from './fitText.ts';
import { spaceId } from './spaceId.ts';

const BATCH = 64;
const BATCHES_AT_ONCE = 4;
/** Models take 8,192 tokens, and local servers cut by themselves what is more than theirs take. */
const TEXT_LENGTH = 6_000;
const LONGEST_PAUSE_MS = 20_000;

const Answer = z.object({ data: z.array(z.object({ index: z.number(), embedding: z.array(z.number()) })) });

export interface OpenAiOptions {
  /** Up to `/embeddings`, which is added: `http://localhost:11434/v1`. */
  baseUrl: string;
  model: string;
  apiKey?: string | undefined;
  /** Asked for, where a model has several; without it, a first call finds out. */
  dimensions?: number | undefined;
  attempts?: number;
  /** The pause after the first failure; it doubles. */
  firstPauseMs?: number;
  timeoutMs?: number;
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
  const text = await post({ model, input, encoding_format: 'float', ...(dimensions ? { dimensions } : {}) }, options);
  const answer = Answer.safeParse(parseJson(text));
  if (!answer.success) throw new Error(`${baseUrl} did not answer with embeddings: ${text.slice(0, 200)}`);
  const data = answer.data.data.toSorted((a, b) => a.index - b.index);
  if (data.length !== input.length || data.some(({ index }, i) => index !== i)) {
    throw new Error(`${baseUrl} answered ${data.length} embeddings to ${input.length} texts.`);
  }
  return data.map(({ embedding }) => normalise(embedding));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The text of the answer, if need be after several attempts. */
async function post(body: object, options: OpenAiOptions): Promise<string> {
  const { attempts = 5, firstPauseMs = 500 } = options;
  for (let attempt = 1; ; attempt++) {
    const outcome = await postOnce(body, options);
    if ('text' in outcome) return outcome.text;
    const askedMs = outcome.pauseMs ?? 0;
    if (attempt === attempts || askedMs > LONGEST_PAUSE_MS) throw new Throttled(options.baseUrl, outcome.reason);
    const ownMs = (0.5 + Math.random() / 2) * firstPauseMs * 2 ** (attempt - 1);
    await sleep(Math.max(askedMs, Math.min(ownMs, LONGEST_PAUSE_MS)));
  }
}

type Outcome = { text: string } | { reason: string; pauseMs?: number | undefined };

async function postOnce(body: object, { baseUrl, apiKey, timeoutMs = 30_000 }: OpenAiOptions): Promise<Outcome> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${baseUrl.replace(/\/$/, '')}/embeddings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    text = await response.text();
  } catch (error) {
    // Fetch says "fetch failed", and why only in the cause.
    const { message, cause } = error as Error;
    return { reason: cause instanceof Error ? `${message}: ${cause.message}` : message };
  }
  if (response.ok) return { text };
  const reason = `status ${response.status}: ${text.slice(0, 200)}`;
  if (response.status !== 429 && response.status < 500) throw new Error(`${baseUrl} refused to embed, ${reason}`);
  return { reason, pauseMs: pauseOf(response.headers.get('retry-after')) };
}

/** Seconds, or a date (RFC 9110, 10.2.3). */
function pauseOf(retryAfter: string | null): number | undefined {
  if (!retryAfter) return undefined;
  const pauseMs = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return Number.isNaN(pauseMs) ? undefined : Math.max(0, pauseMs);
}
