/** Search by the setting `search`: embeddings of Amazon Bedrock in Amazon S3 Vectors, or keywords in other regions. */
import { Aws } from 'aws-cdk-lib';
import { type IManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { settingsOf } from '#infra/settings/settingsOf.ts';
import { EMBEDDING_VARIABLES } from '#shared/ai/chooseEmbedder.ts';
import { VECTOR_VARIABLES } from '#shared/ai/chooseVectorStore.ts';
import { Vectors, type VectorUse } from './vectors.ts';

const DEFAULT_MODEL = 'amazon.titan-embed-text-v2:0';
/** US dollars per million tokens. */
const DEFAULT_PRICE = 0.02;

export interface Search {
  variables: Record<string, string>;
  statements: PolicyStatement[];
  policiesFor(use: VectorUse): IManagedPolicy[];
}

export function addSearch(scope: Construct): Search {
  const { search, embeddings: model = DEFAULT_MODEL, embeddingsPrice = DEFAULT_PRICE } = settingsOf(scope);
  if (search === 'keywords') {
    const variables = { [EMBEDDING_VARIABLES.embeddings]: 'hashing', [VECTOR_VARIABLES.vectors]: 'none' };
    return { variables, statements: [], policiesFor: () => [] };
  }
  const { bucketNames, policies } = new Vectors(scope, 'Vectors');
  return {
    variables: {
      [EMBEDDING_VARIABLES.embeddings]: `bedrock:${model}`,
      [EMBEDDING_VARIABLES.price]: String(embeddingsPrice),
      [VECTOR_VARIABLES.vectors]: `s3:${bucketNames}`,
    },
    statements: [
      new PolicyStatement({
        actions: ['bedrock:InvokeModel'],
        resources: [`arn:${Aws.PARTITION}:bedrock:${Aws.REGION}::foundation-model/${model}`],
      }),
    ],
    policiesFor: use => [policies[use]],
  };
}
