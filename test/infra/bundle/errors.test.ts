/**
 * Tests that bundled clients throw the SDK's errors, although their classes are shortened
 * (`infra/bundle/shortened.ts`).
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { lambdaBuildOptions } from '#infra/bundle/bundle.ts';
import { listen } from '#infra/local/services/listenOnPort.ts';

const ANSWERS: Record<string, { __type: string; [field: string]: unknown }> = {
  condition: {
    __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException',
    message: 'The conditional request failed',
    Item: { pk: { S: 'a' } },
  },
  transaction: {
    __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
    Message: 'Transaction cancelled',
    CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed', Message: 'no' }],
  },
  conflict: { __type: 'com.amazonaws.dynamodb.v20120810#TransactionConflictException', message: 'Conflict' },
  missing: { __type: 'com.amazonaws.dynamodb.v20120810#ResourceNotFoundException', message: 'No table' },
  slow: { __type: 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException', message: 'Slow' },
  // No function of the stack makes a call with this error.
  backup: { __type: 'com.amazonaws.dynamodb.v20120810#BackupInUseException', message: 'In use' },
  invalid: { __type: 'com.amazon.coral.validate#ValidationException', message: 'Invalid' },
};

const SOURCE = `
  import * as dynamodb from '@aws-sdk/client-dynamodb';

  (async () => {
    const client = new dynamodb.DynamoDBClient({ maxAttempts: 1 });
    for (const TableName of ${JSON.stringify(Object.keys(ANSWERS))}) {
      const command = new dynamodb.PutItemCommand({ TableName, Item: { pk: { S: 'a' } } });
      const error = await client.send(command).then(() => undefined, error => error);
      const { name, message, $fault, Item, CancellationReasons } = error;
      const { ConditionalCheckFailedException, DynamoDBServiceException, TransactionCanceledException } = dynamodb;
      const classes = { ConditionalCheckFailedException, DynamoDBServiceException, TransactionCanceledException };
      const is = Object.keys(classes).filter(each => error instanceof classes[each]);
      console.log(JSON.stringify({ name, message, $fault, Item, CancellationReasons, is }));
    }
  })();
`;

it('throws the same DynamoDB errors as the SDK', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-errors-'));
  const server = await listen(
    createServer(async (request, response) => {
      const { TableName } = (await json(request)) as { TableName: string };
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(ANSWERS[TableName]));
    }),
    0,
  );
  const { plugins: _, ...withoutPlugin } = lambdaBuildOptions;
  const thrownBy = async (file: string, options: Partial<typeof lambdaBuildOptions>) => {
    const outfile = join(directory, file);
    await build({ ...options, stdin: { contents: SOURCE, resolveDir: import.meta.dirname }, outfile });
    const env = {
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_REGION: 'eu-central-1',
      AWS_ENDPOINT_URL_DYNAMODB: server.endpoint,
    };
    const { stdout } = await promisify(execFile)(process.execPath, [outfile], { env });
    return stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
  };

  try {
    const ours = await thrownBy('ours.cjs', lambdaBuildOptions);

    expect(ours).toEqual(await thrownBy('theirs.cjs', withoutPlugin));
    expect(ours.map(({ name }) => name)).toEqual(Object.values(ANSWERS).map(({ __type }) => __type.split('#')[1]));
    expect(ours[1].CancellationReasons).toHaveLength(2);
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true });
  }
});
