/**
 * The search of files and rows, by the setting `search`:
 *
 * - `bedrock` (the default): embeddings of Amazon Bedrock (the setting `embeddings` names another of its models) in Amazon
 *   S3 Vectors;
 * - `keywords`: words alone, where neither service is available.
 */
import { Aws, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnVectorBucket } from 'aws-cdk-lib/aws-s3vectors';
import type { Construct } from 'constructs';
import { settingsOf } from '#infra/settings/settingsOf.ts';
import { EMBEDDING_VARIABLES } from '#shared/ai/chooseEmbedder.ts';
import { VECTOR_VARIABLES } from '#shared/ai/chooseVectorStore.ts';

const DEFAULT_MODEL = 'amazon.titan-embed-text-v2:0';

export interface Search {
  /** The environment of a function that searches or indexes. */
  variables: Record<string, string>;
  statementsFor(use: 'searches' | 'writes'): PolicyStatement[];
}

const READS = ['s3vectors:QueryVectors', 's3vectors:GetVectors'];
const WRITES = ['s3vectors:CreateIndex', 's3vectors:PutVectors', 's3vectors:DeleteVectors', 's3vectors:DeleteIndex'];

export function addSearch(scope: Construct): Search {
  const { search, embeddings: model = DEFAULT_MODEL } = settingsOf(scope);
  if (search === 'keywords') {
    const variables = { [EMBEDDING_VARIABLES.embeddings]: 'hashing', [VECTOR_VARIABLES.vectors]: 'none' };
    return { variables, statementsFor: () => [] };
  }
  // S3 Vectors is addressed by name, and CloudFormation returns only the ARN of a generated one.
  const bucketName = `${Stack.of(scope).stackName.toLowerCase()}-vectors-${Aws.ACCOUNT_ID}-${Aws.REGION}`;
  const bucket = new CfnVectorBucket(scope, 'Vectors', { vectorBucketName: bucketName });
  bucket.applyRemovalPolicy(RemovalPolicy.RETAIN);
  const indexes = `${bucket.attrVectorBucketArn}/index/*`;
  return {
    variables: {
      [EMBEDDING_VARIABLES.embeddings]: `bedrock:${model}`,
      [VECTOR_VARIABLES.vectors]: `s3:${bucketName}`,
    },
    statementsFor: use => [
      new PolicyStatement({
        actions: ['bedrock:InvokeModel'],
        resources: [`arn:${Aws.PARTITION}:bedrock:${Aws.REGION}::foundation-model/${model}`],
      }),
      new PolicyStatement({
        actions: use === 'writes' ? [...READS, ...WRITES] : READS,
        resources: [bucket.attrVectorBucketArn, indexes],
      }),
    ],
  };
}
