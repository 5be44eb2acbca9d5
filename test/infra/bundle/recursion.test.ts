/**
 * Jobs continue in their own queue: a bundled function hands its trace on to no message, or Lambda would stop it after sixteen
 * (https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html).
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lambdaBuildOptions } from '#infra/bundle/bundle.ts';

/** Prints the headers of a request of each client that can lead to an invocation. */
const SOURCE = `
  import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
  import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
  import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

  class Stop extends Error {}
  async function headersOf(client, command) {
    let headers;
    client.middlewareStack.add(() => async ({ request }) => {
      headers = Object.keys(request.headers).map(name => name.toLowerCase());
      throw new Stop();
    }, { step: 'finalizeRequest', priority: 'low' });
    await client.send(command).catch(error => {
      if (!(error instanceof Stop)) throw error;
    });
    return headers;
  }
  (async () => {
    console.log(JSON.stringify([
      await headersOf(new SQSClient(), new SendMessageCommand({ QueueUrl: 'https://sqs.eu-central-1.amazonaws.com/1/a', MessageBody: 'b' })),
      await headersOf(new LambdaClient(), new InvokeCommand({ FunctionName: 'code' })),
      await headersOf(new S3Client(), new PutObjectCommand({ Bucket: 'bucket', Key: 'key', Body: 'b' })),
    ]));
  })();
`;

let directory: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'parley-recursion-'));
  const stdin = { contents: SOURCE, resolveDir: import.meta.dirname };
  const { plugins: _, ...withoutStubs } = lambdaBuildOptions;
  await Promise.all([
    build({ ...lambdaBuildOptions, stdin, outfile: join(directory, 'ours.cjs') }),
    build({ ...withoutStubs, stdin, outfile: join(directory, 'theirs.cjs') }),
  ]);
});
afterAll(() => rmSync(directory, { recursive: true }));

/** As Lambda's runtime sets them for an invocation. */
const INVOCATION = {
  AWS_LAMBDA_FUNCTION_NAME: 'Parley-sweepDeleted',
  _X_AMZN_TRACE_ID: 'Root=1-67a0c1d2-0123456789abcdef01234567;Parent=0123456789abcdef;Sampled=0;Lineage=1:0a1b2c3d:16',
};

function headersOf(file: string): string[][] {
  const env = { AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', ...INVOCATION };
  const { stdout, stderr } = spawnSync(process.execPath, [join(directory, file)], { env, encoding: 'utf8' });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

it('sends no trace of the invocation, as the SDK does by itself', () => {
  for (const headers of headersOf('theirs.cjs')) expect(headers).toContain('x-amzn-trace-id');
  for (const headers of headersOf('ours.cjs')) expect(headers).not.toContain('x-amzn-trace-id');
});
