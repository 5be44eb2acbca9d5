/** Tests the log of bundled functions under the client of Lambda's runtime, in both log formats. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import * as chat from '#functions/chat/index.ts';
import { lambdaBuildOptions } from '#infra/bundle/bundle.ts';
import { functionNameOf } from '#shared/api/operation.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { awsEvent } from '#test/support/gatewayEvents.ts';
import { invokeOnce, type Output, REQUEST_ID } from '#test/support/runtimeApi.ts';

const FORMATS = {
  'the text format': { AWS_LAMBDA_LOG_FORMAT: 'Text' },
  'the JSON format': { AWS_LAMBDA_LOG_FORMAT: 'JSON' },
  // Its environments run a function in threads.
  'a managed instance': {
    AWS_LAMBDA_LOG_FORMAT: 'JSON',
    AWS_LAMBDA_MAX_CONCURRENCY: '64',
    AWS_LAMBDA_NODEJS_WORKER_COUNT: '2',
  },
};

const LAST_MESSAGE = 'The call was rejected.';
const LAST_LINE = new RegExp(`${LAST_MESSAGE}.*\n`);

const OPERATIONS = [chat.getConversation, chat.listenConversation];

let bundles: string;
beforeAll(async () => {
  bundles = mkdtempSync(join(tmpdir(), 'parley-runtime-'));
  const entryPoints = OPERATIONS.map(functionNameOf).map(name => ({ in: `entry:${name}`, out: `${name}/index` }));
  await build({ ...lambdaBuildOptions, entryPoints, outdir: bundles });
});

/** Calls an operation without a table, which fails and therefore logs an error and the line of the call. */
async function callIn(format: keyof typeof FORMATS, operation: (typeof OPERATIONS)[number]): Promise<Output> {
  const url = operation.path.replace('{id}', 'c1');
  return invokeOnce(join(bundles, functionNameOf(operation)), {
    event: awsEvent(operation, { url: `https://example.com/wh1${url}`, headers: { 'x-user-key': 'k' } }),
    env: {
      ...FORMATS[format],
      [VARIABLES.metricsNamespace]: 'Parley',
      [VARIABLES.tableName]: 'table',
      AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1',
    },
    isWhole: ({ stdout, telemetry }) => LAST_LINE.test(stdout) || telemetry.includes(LAST_MESSAGE),
  });
}

describe.each(Object.keys(FORMATS) as (keyof typeof FORMATS)[])('in %s', format => {
  it.each(OPERATIONS)('logs JSON lines with its fields and metrics at the top level: $name', async operation => {
    const { stdout, telemetry } = await callIn(format, operation);

    const lines = stdout
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    const entry = { timestamp: expect.any(String), operation: operation.name, lambdaRequestId: REQUEST_ID };
    expect(lines).toContainEqual(
      expect.objectContaining({ ...entry, level: 'ERROR', message: 'The operation failed.' }),
    );
    expect(lines.at(-1)).toMatchObject({
      ...entry,
      level: 'INFO',
      message: LAST_MESSAGE,
      serverErrors: 1,
      _aws: { CloudWatchMetrics: [{ Namespace: 'Parley' }] },
    });
    expect(telemetry).toBe('');
  });
});
