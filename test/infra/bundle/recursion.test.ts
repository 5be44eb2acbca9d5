/**
 * Tests that functions do not propagate the trace of an invocation. Otherwise Lambda would terminate jobs that enqueue
 * their next step in the same queue, after 16 steps
 * (https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html).
 */
import { expect, it } from 'vitest';
import { bundleTwice, finalizedRequest } from './withStubs.ts';

/** Prints the header names of a request of each client that can cause an invocation. */
const run = bundleTwice(`
  import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
  import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
  import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
  ${finalizedRequest('Object.keys(request.headers).map(name => name.toLowerCase())')}
  const QueueUrl = 'https://sqs.eu-central-1.amazonaws.com/1/a';
  (async () => {
    process.stdout.write(JSON.stringify([
      await finalized(new SQSClient(), new SendMessageCommand({ QueueUrl, MessageBody: 'b' })),
      await finalized(new LambdaClient(), new InvokeCommand({ FunctionName: 'code' })),
      await finalized(new S3Client(), new PutObjectCommand({ Bucket: 'bucket', Key: 'key', Body: 'b' })),
    ]));
  })();
`);

const INVOCATION = {
  AWS_REGION: 'eu-central-1',
  AWS_LAMBDA_FUNCTION_NAME: 'Parley-sweepDeleted',
  _X_AMZN_TRACE_ID: 'Root=1-67a0c1d2-0123456789abcdef01234567;Parent=0123456789abcdef;Sampled=0;Lineage=1:0a1b2c3d:16',
};

it('sends no trace header, unlike the SDK', () => {
  for (const headers of run<string[][]>('sdk', INVOCATION)) expect(headers).toContain('x-amzn-trace-id');
  for (const headers of run<string[][]>('stubs', INVOCATION)) expect(headers).not.toContain('x-amzn-trace-id');
});
