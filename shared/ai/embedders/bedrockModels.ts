/** Embedding models of Amazon Bedrock, without its client. */
import * as z from 'zod/mini';
import type { EmbeddingModel } from '#shared/ai/embedder.ts';
import { embeddingModelId } from './embeddingModelId.ts';

interface Family {
  dimensions: readonly [preferred: number, ...others: number[]];
  batch: number;
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

/** @param modelId may have the prefix of an inference profile: `eu.cohere.embed-multilingual-v3` */
export function familyOf(modelId: string): Family {
  if (/(?:^|\.)amazon\.titan-embed-text-v2:0$/.test(modelId)) return titan;
  if (/(?:^|\.)cohere\.embed-[a-z]+-v3$/.test(modelId)) return cohere;
  throw new Error(
    `${modelId} is not a supported embedding model. Use amazon.titan-embed-text-v2:0 or cohere.embed-*-v3.`,
  );
}

export interface BedrockModel {
  modelId: string;
  dimensions?: number | undefined;
}

export function bedrockEmbeddingModel({ modelId, dimensions }: BedrockModel): EmbeddingModel {
  const family = familyOf(modelId);
  const chosen = dimensions ?? family.dimensions[0];
  if (!family.dimensions.includes(chosen)) {
    throw new Error(`${modelId} supports vectors of ${family.dimensions.join(', ')} dimensions, not ${chosen}.`);
  }
  return { id: embeddingModelId(modelId, chosen), dimensions: chosen };
}
