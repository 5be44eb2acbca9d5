/** Models of Amazon Bedrock, in the region the platform runs in. */
import { BedrockRuntimeClient, InvokeModelCommand } from '@aws-sdk/client-bedrock-runtime';
import * as z from 'zod/mini';
import { throttledIfPassing } from '#shared/ai/bedrockErrors.ts';
import type { Embedder } from '#shared/ai/embedder.ts';
import { normalise } from '#shared/ai/vectors.ts';
import { chunksOf, mapConcurrently } from '#shared/concurrency.ts';
import { fitText } from './fitText.ts';
import { spaceId } from './spaceId.ts';

/** What differs between the families of models. */
interface Family {
  dimensions: readonly [preferred: number, ...others: number[]];
  /** Texts in one call. */
  batch: number;
  /** Of a text, in characters. */
  maxLength: number;
  bodyOf(texts: readonly string[], dimensions: number, kind: 'query' | 'passage'): object;
  /** @throws when it has another form */
  vectorsOf(answer: unknown): number[][];
}

const TitanAnswer = z.object({ embedding: z.array(z.number()) });
const CohereAnswer = z.object({ embeddings: z.array(z.array(z.number())) });

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html: 8,192 tokens */
const titan: Family = {
  dimensions: [1024, 512, 256],
  batch: 1,
  maxLength: 6_000,
  bodyOf: ([inputText], dimensions) => ({ inputText, dimensions, normalize: true }),
  vectorsOf: answer => [TitanAnswer.parse(answer).embedding],
};

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-embed.html: 96 texts of 2,048 characters */
const cohere: Family = {
  dimensions: [1024],
  batch: 96,
  maxLength: 2_048,
  bodyOf: (texts, _, kind) => ({
    texts,
    input_type: kind === 'query' ? 'search_query' : 'search_document',
    truncate: 'END',
  }),
  vectorsOf: answer => CohereAnswer.parse(answer).embeddings,
};

/** @param modelId may start with the name of an inference profile: `eu.cohere.embed-multilingual-v3` */
function familyOf(modelId: string): Family {
  if (/(?:^|\.)amazon\.titan-embed-text-v2:0$/.test(modelId)) return titan;
  if (/(?:^|\.)cohere\.embed-[a-z]+-v3$/.test(modelId)) return cohere;
  throw new Error(`${modelId} is no known model: there are amazon.titan-embed-text-v2:0 and cohere.embed-*-v3.`);
}

const CALLS_AT_ONCE = 8;

export interface BedrockOptions {
  modelId: string;
  /** One that the model has; without it, the one with most. */
  dimensions?: number | undefined;
  attempts?: number;
}

export function bedrock({ modelId, dimensions, attempts = 5 }: BedrockOptions): Embedder {
  const family = familyOf(modelId);
  const chosen = dimensions ?? family.dimensions[0];
  if (!family.dimensions.includes(chosen)) {
    throw new Error(`${modelId} has vectors of ${family.dimensions.join(', ')} dimensions, not of ${chosen}.`);
  }
  const client = new BedrockRuntimeClient({ maxAttempts: attempts, retryMode: 'standard' });

  async function embedBatch(texts: readonly string[], kind: 'query' | 'passage'): Promise<Float32Array[]> {
    const { body } = await client.send(
      new InvokeModelCommand({
        modelId,
        contentType: 'application/json',
        accept: 'application/json',
        body: JSON.stringify(family.bodyOf(texts, chosen, kind)),
      }),
    );
    const vectors = family.vectorsOf(JSON.parse(body.transformToString()));
    if (vectors.length !== texts.length || vectors.some(({ length }) => length !== chosen)) {
      throw new Error(`${modelId} did not answer with a vector of ${chosen} dimensions for each text.`);
    }
    return vectors.map(normalise);
  }

  return {
    id: spaceId(modelId, chosen),
    dimensions: chosen,
    likeness: 'ofMeaning',
    async embed(texts, kind) {
      const batches = chunksOf(
        texts.map(text => fitText(text, family.maxLength)),
        family.batch,
      );
      try {
        return (await mapConcurrently(batches, CALLS_AT_ONCE, batch => embedBatch(batch, kind))).flat();
      } catch (error) {
        throw throttledIfPassing(error, modelId);
      }
    },
  };
}
