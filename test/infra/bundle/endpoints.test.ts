/** Tests that bundled clients resolve the same endpoints as the SDK, although stubs replace parts of it. */
import { expect, it } from 'vitest';
import { VARIABLES } from '#shared/core/environment.ts';
import { synthesised } from '#test/infra/stack/template.ts';
import { bundleTwice, finalizedRequest } from './withStubs.ts';

/** Prints the URL of a request of each client. */
const run = bundleTwice(`
  import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
  import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
  import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
  ${finalizedRequest("request.protocol + '//' + request.hostname + request.path")}
  (async () => {
    process.stdout.write(JSON.stringify([
      await finalized(new DynamoDBClient(), new ListTablesCommand()),
      await finalized(new S3Client(), new GetObjectCommand({ Bucket: 'bucket', Key: 'key' })),
      await finalized(new SQSClient(), new ListQueuesCommand()),
    ]));
  })();
`);

it.each([
  ['eu-central-1', 'amazonaws.com'],
  ['us-gov-west-1', 'amazonaws.com'],
  ['cn-north-1', 'amazonaws.com.cn'],
])('resolves the endpoints of %s', (AWS_REGION, suffix) => {
  const ours = run<string[]>('stubs', { AWS_REGION, [VARIABLES.urlSuffix]: suffix });

  expect(ours).toEqual(run('sdk', { AWS_REGION }));
  expect(ours[0]).toBe(`https://dynamodb.${AWS_REGION}.${suffix}/`);
});

it('reads an endpoint from the environment', () => {
  const variables = { AWS_REGION: 'eu-central-1', AWS_ENDPOINT_URL: 'http://127.0.0.1:1234' };

  const ours = run<string[]>('stubs', variables);

  expect(ours).toEqual(run('sdk', variables));
});

it('reads the domain of AWS from the stack, in every function with a table', () => {
  const variables = synthesised().functions.map(({ properties }) => properties.Environment?.Variables ?? {});

  const withTable = variables.filter(each => each[VARIABLES.tableName]);

  expect(withTable.length).toBeGreaterThan(100);
  for (const each of withTable) expect(each[VARIABLES.urlSuffix]).toEqual({ Ref: 'AWS::URLSuffix' });
});
