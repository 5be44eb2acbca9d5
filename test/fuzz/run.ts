/**
 * `npm run fuzz -- --requests 100000`: sends requests that Schemathesis generates from the published documents to a
 * local platform. No response may be a 5xx, take 30 seconds or differ from its schema. Needs Python 3 with `venv`, and
 * PyPI.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CommandFailed } from '#infra/emulated/command.ts';
import { startPlatform } from '#infra/local/localPlatform.ts';
import { openLogFile } from '#infra/local/logFile.ts';
import { startDynamodb } from '#infra/local/services/dynamodb.ts';
import { startObjectStore } from '#infra/local/services/s3.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { newFullTenant } from '#test/support/fullTenant.ts';
import { fuzzTenant } from './fuzzTenant.ts';
import { installSchemathesis, requireValid, SCHEMATHESIS_VERSION } from './schemathesis.ts';
import { LEFT_OUT } from './settings.ts';

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '5000' }, seed: { type: 'string', default: '1' } },
});
const [wanted, seed] = [Number(values.requests), Number(values.seed)];
if (!Number.isInteger(wanted) || wanted < 1 || !Number.isInteger(seed)) {
  throw new Error('--requests and --seed must be whole numbers, as in --requests 5000 --seed 1.');
}

const say = (text: string) => process.stdout.write(`${text}\n`);
const interruption = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => interruption.abort(new Error(`Interrupted by ${name}.`)));
}
const { signal } = interruption;
const startMs = performance.now();

async function fuzz(directory: string): Promise<string[]> {
  const python = await installSchemathesis(directory, signal);
  await requireValid(directory, python, signal);
  say(`The published documents are valid. Schemathesis ${SCHEMATHESIS_VERSION} generates requests from them.`);
  for (const [name, reason] of Object.entries(LEFT_OUT)) say(`Left out: ${name}. ${reason}`);

  Object.assign(process.env, {
    [VARIABLES.rateLimits]: 'off',
    [VARIABLES.openWorkLimits]: 'off',
    [VARIABLES.sealingKey]: 'the sealing key of generated requests',
  });
  const [dynamodb, objects] = await Promise.all([
    startDynamodb(),
    startObjectStore(join(directory, 'objects'), ['fuzz']),
  ]);
  const log = openLogFile(join(directory, 'platform.log'));
  const failed: string[] = [];
  let requests = 0;
  const platform = await startPlatform({
    port: 0,
    dynamodbEndpoint: dynamodb.endpoint,
    s3Endpoint: objects.endpoint,
    tableName: 'fuzz',
    bucketName: 'fuzz',
    onAnswer: ({ method, path, status }) => {
      requests++;
      if (status >= 500 && status !== 501) failed.push(`${method} ${path} answered ${status}`);
    },
  });
  try {
    const tenant = await newFullTenant(platform.apiBaseUrl, platform.chatBaseUrl);
    const found = await fuzzTenant(
      { python, directory, tenant, documentUrl: `${platform.apiBaseUrl}/v1/openapi.json` },
      { wanted, seed, sent: () => requests, say },
      signal,
    );
    say(`${requests} requests in ${((performance.now() - startMs) / 1000).toFixed(1)} s.`);
    await platform.idle();
    const logged = await loggedErrors(log.path);
    const parked = logged.filter(line => line.includes('"message":"Stored a dead letter'));
    const all = [...found, ...failed, ...(parked.length > 0 ? [`${parked.length} changes became dead letters.`] : [])];
    return all.length === 0 ? [] : [...all, ...logged.slice(0, LINES)];
  } finally {
    await platform.stop();
    await Promise.all([objects.stop(), dynamodb.stop()]);
  }
}

/** Returns the failures in the functions' logs. */
async function loggedErrors(file: string): Promise<string[]> {
  return (await readFile(file, 'utf8')).split('\n').filter(line => line.startsWith('{"level":"ERROR"'));
}

const LINES = 50;

const directory = await mkdtemp(join(tmpdir(), 'parley-fuzz-'));
try {
  const found = await fuzz(directory);
  say(found.length === 0 ? 'Nothing was found.' : found.join('\n'));
  process.exitCode = found.length === 0 ? 0 : 1;
} catch (error) {
  say(error instanceof CommandFailed ? `${error.message}\n${error.output}` : `${(error as Error).stack}`);
  process.exitCode = 1;
} finally {
  await rm(directory, { recursive: true, force: true });
}
process.exit();
