/**
 * `npm run test:deploy`: deploys the stack with the real CDK to an emulator of AWS on this machine that enforces its roles,
 * runs the API tests against it, and destroys it. Needs Linux or macOS, Python 3 with `venv`, and `openssl`.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { chatApi, platformApi } from '#infra/gateway/apis.ts';
import { VARIABLES } from '#shared/environment.ts';
import { allowCreation } from './allowCreation.ts';
import { API_TESTS, TEST_OPTIONS } from './apiTests.ts';
import { CommandFailed, run } from './command.ts';
import { EMULATOR_VERSION, type Emulator, installEmulator, startEmulator } from './emulator.ts';
import { functionErrors } from './functionErrors.ts';

const MODULES = join(import.meta.dirname, '../..', 'node_modules');
const CDK = join(MODULES, 'aws-cdk', 'bin', 'cdk');
const BOOTSTRAP = join(import.meta.dirname, '../operator/bootstrap.ts');
const VITEST = join(MODULES, 'vitest', 'vitest.mjs');

const STACK = 'Parley';
const ACCOUNT = '000000000000';
const REGION = 'us-east-1';

/** The stack's outputs. */
interface Outputs {
  ChatApiId: string;
  PlatformApiId: string;
  TableName: string;
  BucketName: string;
}

const say = (text: string) => process.stdout.write(`${text}\n`);

const interruption = new AbortController();
const { signal } = interruption;
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => interruption.abort(new Error(`Interrupted by ${name}.`)));
}

/** @param directory an empty one, for everything that is written */
async function testDeployment(directory: string): Promise<void> {
  const env = isolatedEnvironment(directory);
  const log = (name: string) => join(directory, `${name}.log`);
  // The emulator starts functions from here: a package.json further up must not make them ES modules.
  await writeFile(join(directory, 'package.json'), '{}\n');

  await step(`install MiniStack ${EMULATOR_VERSION}`, () => installEmulator(log('install'), signal));
  const emulator = await step('start it', () => startEmulator(env, log('emulator'), signal));
  try {
    const client = { ...env, ...clientEnvironment(emulator) };
    const assembly = join(directory, 'cdk.out');
    const outputsFile = join(directory, 'outputs.json');
    const node = (script: string, args: string[], variables: NodeJS.ProcessEnv, logFile: string) =>
      run({ program: process.execPath, args: [script, ...args], env: variables, logFile }, signal);
    const cdk = (command: string, ...args: string[]) =>
      step(`cdk ${command}`, () => node(CDK, [command, ...args, '--no-notices'], client, log(command)));

    await cdk('bootstrap', `aws://${ACCOUNT}/${REGION}`);
    await cdk(
      'deploy',
      ...[
        STACK,
        '--require-approval',
        'never',
        '--context',
        'ephemeral=true',
        '--context',
        'allowPrivateEndpoints=true',
        // The emulator has no S3 Vectors, and no address that leads to its CloudFront.
        '--context',
        'search=keywords',
        '--context',
        'content=bucket',
        // All tests come from one address.
        '--context',
        'rateLimits=off',
        // Tests write tenants straight into the table.
        '--context',
        'sealingKey=the sealing key of all tests, the deployed ones included',
      ],
      ...['--output', assembly, '--outputs-file', outputsFile],
    );
    const outputs: Outputs = JSON.parse(await readFile(outputsFile, 'utf8'))[STACK];
    try {
      await step('bootstrap', async () => {
        const output = await node(
          BOOTSTRAP,
          ['--email', 'first@example.com', '--workspace', 'Acme'],
          client,
          log('first'),
        );
        if (!/^token +bp_pat_/m.test(output)) throw new Error(`No token: ${output}`);
        await allowCreation(emulator.endpoint);
      });
      const target = { ...client, ...targetEnvironment(emulator, outputs) };
      const output = await step('test the APIs', () =>
        node(VITEST, ['run', ...API_TESTS, ...TEST_OPTIONS], target, log('test')),
      );
      say(totals(output));
    } catch (error) {
      if (!signal.aborted)
        say(['Errors that the functions logged:', ...(await functionErrors(emulator.endpoint))].join('\n'));
      throw error;
    } finally {
      if (!signal.aborted) await cdk('destroy', STACK, '--force', '--app', assembly);
    }
  } finally {
    await emulator.stop();
  }
}

/** Runs a step and prints its duration, and its output if it fails. */
async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const startMs = performance.now();
  const report = (mark: string) => say(`${mark} ${name.padEnd(26)} ${seconds(startMs).padStart(8)}`);
  try {
    const result = await work();
    report('✓');
    return result;
  } catch (error) {
    report('✗');
    if (error instanceof CommandFailed) say(`\n${error.output}\n`);
    throw error;
  }
}

const seconds = (startMs: number) => `${((performance.now() - startMs) / 1000).toFixed(1)} s`;

/** Vitest's summary lines. */
const totals = (output: string) =>
  output
    .split('\n')
    .filter(line => /^ *(Test Files|Tests) /.test(line))
    .join('\n');

/** The whole environment of a command: nothing of the user's AWS account or settings leaks in. */
const isolatedEnvironment = (directory: string) => ({
  HOME: directory,
  TMPDIR: directory,
  LANG: 'C.UTF-8',
  NO_COLOR: '1',
  // The CDK's app and the emulated functions run on the first `node`: this one.
  PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
});

const clientEnvironment = ({ endpoint, certificateFile }: Emulator) => ({
  AWS_ENDPOINT_URL: endpoint,
  AWS_ACCESS_KEY_ID: ACCOUNT,
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: REGION,
  AWS_DEFAULT_REGION: REGION,
  AWS_EC2_METADATA_DISABLED: 'true',
  CDK_DISABLE_CLI_TELEMETRY: 'true',
  NODE_EXTRA_CA_CERTS: certificateFile,
});

/** Read by `test/support/platform.ts`. */
function targetEnvironment({ endpoint }: Emulator, outputs: Outputs) {
  const baseUrl = (apiId: string, stage: string) => `${endpoint}/restapis/${apiId}/${stage}/_user_request_`;
  const target = {
    chatBaseUrl: baseUrl(outputs.ChatApiId, chatApi.name),
    apiBaseUrl: baseUrl(outputs.PlatformApiId, platformApi.name),
  };
  return {
    PARLEY_TARGET: JSON.stringify(target),
    [VARIABLES.tableName]: outputs.TableName,
    [VARIABLES.bucketName]: outputs.BucketName,
  };
}

const startMs = performance.now();
const directory = await mkdtemp(join(tmpdir(), 'parley-test-deploy-'));
try {
  await testDeployment(directory);
  say(`The test deployment passed in ${seconds(startMs)}.`);
} catch (error) {
  say(error instanceof CommandFailed || signal.aborted ? (error as Error).message : `${(error as Error).stack}`);
  process.exitCode = 1;
} finally {
  await rm(directory, { recursive: true, force: true });
}
