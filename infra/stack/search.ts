/**
 * Search by the setting `search`: vectors in Amazon S3 Vectors, of a model in the functions or in Amazon Bedrock, or
 * keywords where a region has no S3 Vectors.
 */
import { join } from 'node:path';
import { Aws } from 'aws-cdk-lib';
import { type IManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Code, type ILayerVersion, LayerVersion } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { EMBEDDER_LAYER } from '#infra/bundle/embedderLayer.ts';
import { settingsOf } from '#infra/settings/settingsOf.ts';
import { EMBEDDING_VARIABLES } from '#shared/ai/embedders/embeddingChoice.ts';
import { VECTOR_VARIABLES } from '#shared/ai/vectorStores/chooseVectorStore.ts';
import { bundlesOf } from './bundlesOf.ts';
import { Vectors, type VectorUse } from './vectors.ts';

const DEFAULT_MODEL = 'amazon.titan-embed-text-v2:0';
/** US dollars per million tokens. */
const DEFAULT_PRICE = 0.02;

export interface Search {
  variables: Record<string, string>;
  /** Permissions of functions that embed. */
  statements: PolicyStatement[];
  /** Layer of functions that embed. */
  layer?: ILayerVersion;
  policiesFor(use: VectorUse): IManagedPolicy[];
}

export function addSearch(scope: Construct): Search {
  const { search, embeddings: model = DEFAULT_MODEL, embeddingsPrice = DEFAULT_PRICE } = settingsOf(scope);
  if (search === 'keywords') {
    const variables = { [EMBEDDING_VARIABLES.embeddings]: 'hashing', [VECTOR_VARIABLES.vectors]: 'none' };
    return { variables, statements: [], policiesFor: () => [] };
  }
  const { bucketNames, policies } = new Vectors(scope, 'Vectors');
  const vectors = { [VECTOR_VARIABLES.vectors]: `s3:${bucketNames}` };
  const policiesFor = (use: VectorUse) => [policies[use]];
  if (search === 'local') {
    const layer = new LayerVersion(scope, 'Embedder', {
      description: 'Parley: the model of the local embedder',
      code: Code.fromAsset(join(bundlesOf(scope), EMBEDDER_LAYER)),
    });
    const variables = { [EMBEDDING_VARIABLES.embeddings]: 'local', ...vectors };
    return { variables, statements: [], layer, policiesFor };
  }
  const invoke = new PolicyStatement({
    actions: ['bedrock:InvokeModel'],
    resources: [`arn:${Aws.PARTITION}:bedrock:${Aws.REGION}::foundation-model/${model}`],
  });
  const variables = {
    [EMBEDDING_VARIABLES.embeddings]: `bedrock:${model}`,
    [EMBEDDING_VARIABLES.price]: String(embeddingsPrice),
    ...vectors,
  };
  return { variables, statements: [invoke], policiesFor };
}
