import { BedrockRuntimeClient, InvokeModelCommand } from '@aws-sdk/client-bedrock-runtime';
import { asThrottled } from '#shared/ai/bedrockErrors.ts';
import type { Embedder } from '#shared/ai/embedder.ts';
import { normalise } from '#shared/ai/vectors.ts';
import { chunksOf, mapConcurrently } from '#shared/core/concurrency.ts';
import { type BedrockModel, bedrockEmbeddingModel, familyOf } from './bedrockModels.ts';
import { fitText } from './fitText.ts';

const CONCURRENT_CALLS = 8;

export function bedrock({ modelId, dimensions, attempts = 5 }: BedrockModel & { attempts?: number }): Embedder {
  const family = familyOf(modelId);
  const model = bedrockEmbeddingModel({ modelId, dimensions });
  const client = new BedrockRuntimeClient({ maxAttempts: attempts, retryMode: 'standard' });

  async function embedBatch(texts: readonly string[], kind: 'query' | 'passage'): Promise<Float32Array[]> {
    const { body } = await client.send(
      new InvokeModelCommand({
        modelId,
        contentType: 'application/json',
        accept: 'application/json',
        body: JSON.stringify(family.bodyOf(texts, model.dimensions, kind)),
      }),
    );
    const vectors = family.vectorsOf(JSON.parse(body.transformToString()));
    if (vectors.length !== texts.length || vectors.some(({ length }) => length !== model.dimensions)) {
      throw new Error(`${modelId} did not return one vector of ${model.dimensions} dimensions per text.`);
    }
    return vectors.map(normalise);
  }

  return {
    ...model,
    likeness: 'semantic',
    async embed(texts, kind) {
      const batches = chunksOf(
        texts.map(text => fitText(text, family.maxLength)),
        family.batch,
      );
      try {
        return (await mapConcurrently(batches, CONCURRENT_CALLS, batch => embedBatch(batch, kind))).flat();
      } catch (error) {
        throw asThrottled(error, modelId);
      }
    },
  };
}
