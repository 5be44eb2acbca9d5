/**
 * Search, as selected by the setting `search`: vectors in Amazon S3 Vectors from a model in the functions or in Amazon
 * Bedrock, or only keywords in regions without S3 Vectors.
 */
import { join, resolve } from 'node:path';
import { Aws } from 'aws-cdk-lib';
import { type IManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Code, type ILayerVersion, LayerVersion } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { EMBEDDER_LAYER } from '#infra/bundle/embedderLayer.ts';
import { TRANSFORMERS_LAYER, writeTransformersLayer } from '#infra/bundle/transformersLayer.ts';
import { settingsOf } from '#infra/settings/settingsOf.ts';
import { modelsDirectory } from '#infra/settings/stateDirectory.ts';
import { EMBEDDING_VARIABLES } from '#shared/ai/embedders/embeddingChoice.ts';
import { VECTOR_VARIABLES } from '#shared/ai/vectorStores/chooseVectorStore.ts';
import { bundlesOf } from './bundlesOf.ts';
import { Vectors, type VectorUse } from './vectorBucketStack.ts';

const DEFAULT_MODEL = 'amazon.titan-embed-text-v2:0';
/** US dollars per million tokens. */
const DEFAULT_PRICE = 0.02;

export interface Search {
  variables: Record<string, string>;
  statements: PolicyStatement[];
  /** Model in the functions that embed. */
  embedder?: { layer: ILayerVersion; memoryMb: number };
  policiesFor(use: VectorUse): IManagedPolicy[];
}

/** One vCPU: loading a model and embedding are CPU-bound. The local model needs 330 MB, others up to 700 MB. */
const MODEL_MEMORY_MB = 1_769;

export function addSearch(scope: Construct): Search {
  const { search, embeddings, embeddingsPrice = DEFAULT_PRICE } = settingsOf(scope);
  if (search === 'keywords') {
    const variables = { [EMBEDDING_VARIABLES.embeddings]: 'hashing', [VECTOR_VARIABLES.vectors]: 'none' };
    return { variables, statements: [], policiesFor: () => [] };
  }
  const { bucketNames, policies } = new Vectors(scope, 'Vectors');
  const vectors = { [VECTOR_VARIABLES.vectors]: `s3:${bucketNames}` };
  const policiesFor = (use: VectorUse) => [policies[use]];
  if (search === 'bedrock') return { ...bedrock(embeddings ?? DEFAULT_MODEL, embeddingsPrice, vectors), policiesFor };
  const { variables, folder, memoryMb } =
    search === 'local' ? localEmbedder(scope) : transformersEmbedder(scope, embeddings!);
  const layer = new LayerVersion(scope, 'Embedder', {
    description: `Parley: the model of search=${search}`,
    code: Code.fromAsset(folder),
  });
  return { variables: { ...variables, ...vectors }, statements: [], embedder: { layer, memoryMb }, policiesFor };
}

const localEmbedder = (scope: Construct) => ({
  variables: { [EMBEDDING_VARIABLES.embeddings]: 'local' },
  folder: join(bundlesOf(scope), EMBEDDER_LAYER),
  memoryMb: MODEL_MEMORY_MB,
});

function transformersEmbedder(scope: Construct, model: string) {
  const folder = join(bundlesOf(scope), TRANSFORMERS_LAYER);
  const source = /^[.~/]/.test(model) ? resolve(model) : join(modelsDirectory, model);
  const { folder: mounted, dimensions } = writeTransformersLayer(folder, source);
  const variables = {
    [EMBEDDING_VARIABLES.embeddings]: `transformers:${mounted}`,
    // Functions without the layer derive the vector space from it.
    [EMBEDDING_VARIABLES.dimensions]: String(dimensions),
  };
  return { variables, folder, memoryMb: MODEL_MEMORY_MB };
}

function bedrock(
  model: string,
  price: number,
  vectors: Record<string, string>,
): Pick<Search, 'variables' | 'statements'> {
  const invoke = new PolicyStatement({
    actions: ['bedrock:InvokeModel'],
    resources: [`arn:${Aws.PARTITION}:bedrock:${Aws.REGION}::foundation-model/${model}`],
  });
  const variables = {
    [EMBEDDING_VARIABLES.embeddings]: `bedrock:${model}`,
    [EMBEDDING_VARIABLES.price]: String(price),
    ...vectors,
  };
  return { variables, statements: [invoke] };
}
