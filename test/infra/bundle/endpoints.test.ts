/** Bundled clients resolve the same endpoints as the SDK, although stubs replace parts of it. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lambdaBuildOptions } from '#infra/bundle/bundle.ts';
import { VARIABLES } from '#shared/environment.ts';
import { synthesised } from '#test/infra/stack/template.ts';

/** Prints the URL that each client sends a request to. */
const SOURCE = `
  import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
  import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
  import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';

  class Stop extends Error {}
  async function whereOf(client, command) {
    let where;
    client.middlewareStack.add(() => async ({ request }) => {
      where = \`\${request.protocol}//\${request.hostname}\${request.path}\`;
      throw new Stop();
    }, { step: 'finalizeRequest', priority: 'low' });
    await client.send(command).catch(error => {
      if (!(error instanceof Stop)) throw error;
    });
    return where;
  }
  (async () => {
    console.log(JSON.stringify([
      await whereOf(new DynamoDBClient(), new ListTablesCommand()),
      await whereOf(new S3Client(), new GetObjectCommand({ Bucket: 'bucket', Key: 'key' })),
      await whereOf(new SQSClient(), new ListQueuesCommand()),
    ]));
  })();
`;

let directory: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'parley-endpoints-'));
  const stdin = { contents: SOURCE, resolveDir: import.meta.dirname };
  const { plugins: _, ...withoutStubs } = lambdaBuildOptions;
  await Promise.all([
    build({ ...lambdaBuildOptions, stdin, outfile: join(directory, 'ours.cjs') }),
    build({ ...withoutStubs, stdin, outfile: join(directory, 'theirs.cjs') }),
  ]);
});
afterAll(() => rmSync(directory, { recursive: true }));

const found = (file: string, variables: Record<string, string>): string[] => {
  const env = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', ...variables };
  const { stdout, stderr } = spawnSync(process.execPath, [join(directory, file)], { env, encoding: 'utf8' });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
};

it.each([
  ['eu-central-1', 'amazonaws.com'],
  ['us-gov-west-1', 'amazonaws.com'],
  ['cn-north-1', 'amazonaws.com.cn'],
])('resolves the endpoints of %s', (AWS_REGION, suffix) => {
  const ours = found('ours.cjs', { AWS_REGION, [VARIABLES.urlSuffix]: suffix });

  expect(ours).toEqual(found('theirs.cjs', { AWS_REGION }));
  expect(ours[0]).toBe(`https://dynamodb.${AWS_REGION}.${suffix}/`);
});

it('resolves an endpoint from the environment', () => {
  const variables = { AWS_REGION: 'eu-central-1', AWS_ENDPOINT_URL: 'http://127.0.0.1:1234' };

  const ours = found('ours.cjs', variables);

  expect(ours).toEqual(found('theirs.cjs', variables));
});

it('gets the domain of AWS from the stack, in every function with a table', () => {
  const variables = synthesised().functions.map(({ properties }) => properties.Environment?.Variables ?? {});

  const withTable = variables.filter(each => each[VARIABLES.tableName]);

  expect(withTable.length).toBeGreaterThan(100);
  for (const each of withTable) expect(each[VARIABLES.urlSuffix]).toEqual({ Ref: 'AWS::URLSuffix' });
});
