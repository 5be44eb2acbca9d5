/** Embedding models of Amazon Bedrock in the platform's region. */
import { BedrockRuntimeClient, InvokeModelCommand } from '@aws-sdk/client-bedrock-runtime';
import * as z from 'zod/mini';
import { asThrottled } from '#shared/ai/bedrockErrors.ts';
import type { Embedder } from '#shared/ai/embedder.ts';
import { normalise } from '#shared/ai/vectors.ts';
import { chunksOf, mapConcurrently } from '#shared/core/concurrency.ts';
import { fitText } from './fitText.ts';
import { spaceId } from './spaceId.ts';

/** How the API of a model family differs from the others. */
interface Family {
  dimensions: readonly [preferred: number, ...others: number[]];
  /** Texts per call. */
  batch: number;
  /** Characters per text. */
  maxLength: number;
  bodyOf(texts: readonly string[], dimensions: number, kind: 'query' | 'passage'): object;
  /** @throws ZodError for an unexpected response */
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

/** @param modelId optionally with the prefix of an inference profile: `eu.cohere.embed-multilingual-v3` */
function familyOf(modelId: string): Family {
  if (/(?:^|\.)amazon\.titan-embed-text-v2:0$/.test(modelId)) return titan;
  if (/(?:^|\.)cohere\.embed-[a-z]+-v3$/.test(modelId)) return cohere;
  throw new Error(
    `${modelId} is not a supported embedding model. Use amazon.titan-embed-text-v2:0 or cohere.embed-*-v3.`,
  );
}

const CALLS_AT_ONCE = 8;

export interface BedrockOptions {
  modelId: string;
  /** One of the model's sizes; by default its largest. */
  dimensions?: number | undefined;
  attempts?: number;
}

export function bedrock({ modelId, dimensions, attempts = 5 }: BedrockOptions): Embedder {
  const family = familyOf(modelId);
  const chosen = dimensions ?? family.dimensions[0];
  if (!family.dimensions.includes(chosen)) {
    throw new Error(`${modelId} supports vectors of ${family.dimensions.join(', ')} dimensions, not ${chosen}.`);
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
      throw new Error(`${modelId} did not return one vector of ${chosen} dimensions per text.`);
    }
    return vectors.map(normalise);
  }

  return {
    id: spaceId(modelId, chosen),
    dimensions: chosen,
    likeness: 'semantic',
    async embed(texts, kind) {
      const batches = chunksOf(
        texts.map(text => fitText(text, family.maxLength)),
        family.batch,
      );
      try {
        return (await mapConcurrently(batches, CALLS_AT_ONCE, batch => embedBatch(batch, kind))).flat();
      } catch (error) {
        throw asThrottled(error, modelId);
      }
    },
  };
}
