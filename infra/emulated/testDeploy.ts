/**
 * `npm run test:deploy`: deploys the stack to a local emulator of AWS that enforces roles, runs the smoke and API
 * tests, changes settings that rename functions, and destroys it. Needs Linux or macOS, Python 3 with `venv`, and
 * `openssl`. `-- smoke` skips the API tests, `-- switch` all tests but the change of settings.
 * `-- cli` tests a deployment by the published CLI instead. `-- upgrade <commit>` deploys an earlier commit first and
 * checks that its data survives the update.
 */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { chatApi, platformApi, webhookApi } from '#infra/gateway/apis.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { API_TESTS, TEST_OPTIONS } from './apiTests.ts';
import { CommandFailed, run } from './command.ts';
import { removeUnsupported, UNSUPPORTED_IN_SWITCHES } from './emulatedAssembly.ts';
import { EMULATOR_VERSION, type Emulator, installEmulator, startEmulator } from './emulator.ts';
import { putGatewayResponses } from './emulatorGatewayResponses.ts';
import { grantEmulatorRights } from './emulatorRights.ts';
import { functionErrors } from './functionErrors.ts';
import { watchRoutes } from './watchedRoutes.ts';

const ROOT = join(import.meta.dirname, '../..');
const CDK = 'node_modules/aws-cdk/bin/cdk';
const BOOTSTRAP = join(import.meta.dirname, '../operator/bootstrap.ts');
const COMMAND_LINE = join(import.meta.dirname, 'commandLine.ts');
const SMOKE = join(import.meta.dirname, 'emulatedSmoke.ts');
const SMOKE_OPTIONS = ['--skip', 'listener'];
const UPGRADE = join(ROOT, 'test/e2e/upgrade.ts');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');

const STACK = 'Parley';
const SEALING_KEY = 'the sealing key of all tests, the deployed ones included';
const SETTINGS = [
  'ephemeral=true',
  'allowPrivateEndpoints=true',
  // The emulator has no S3 Vectors, and its CloudFront has no reachable address.
  'search=keywords',
  'content=bucket',
  'rateLimits=off',
  `sealingKey=${SEALING_KEY}`,
];
const ACCOUNT = '000000000000';
const REGION = 'us-east-1';

const ALARMS = 'alarmEmail=you@example.com';
/** Updates in which the routes' functions get other names or aliases. */
const SWITCHES: readonly (readonly [string, string[]])[] = [
  ['switch to gradual rollouts', [ALARMS, 'rollout=gradual']],
  ['switch back', []],
];

interface Outputs {
  ChatApiId: string;
  PlatformApiId: string;
  WebhookApiId: string;
  ChatBaseUrl: string;
  TableName: string;
  BucketName: string;
}

const say = (text: string) => process.stdout.write(`${text}\n`);

const interruption = new AbortController();
const { signal } = interruption;
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => interruption.abort(new Error(`Interrupted by ${name}.`)));
}

const [mode = 'apis', commit = ''] = process.argv.slice(2);
if (!['apis', 'smoke', 'switch', 'cli', 'upgrade'].includes(mode) || (mode === 'upgrade' && !commit)) {
  throw new Error('Usage: npm run test:deploy [-- smoke | switch | cli | upgrade <commit>], as in "upgrade HEAD~20".');
}

/** @param directory receives all output */
async function testDeployment(directory: string): Promise<void> {
  const env = isolatedEnvironment(directory);
  const log = (name: string) => join(directory, `${name}.log`);
  // Functions start in this directory. A package.json further up must not make them ES modules.
  await writeFile(join(directory, 'package.json'), '{}\n');

  await step(`install MiniStack ${EMULATOR_VERSION}`, () => installEmulator(log('install'), signal));
  const earlier = mode === 'upgrade' ? await step(`install ${commit}`, () => checkOut(directory)) : undefined;
  const emulator = await step('start the emulator', () => startEmulator(env, log('emulator'), signal));
  try {
    const client = { ...env, ...clientEnvironment(emulator) };
    const assembly = join(directory, 'cdk.out');
    const node = (cwd: string, args: string[], variables: NodeJS.ProcessEnv, logFile: string) =>
      run({ program: process.execPath, args, cwd, env: variables, logFile }, signal);
    const cdk = (cwd: string, command: string, ...args: string[]) =>
      step(`cdk ${command}`, () => node(cwd, [CDK, command, ...args, '--no-notices'], client, log(command)));
    const deployment = SETTINGS.flatMap(setting => ['--context', setting]);
    const synthesize = async (cwd: string, output: string, settings: string[] = [], unsupported?: RegExp) => {
      const contexts = [...deployment, ...settings.flatMap(setting => ['--context', setting])];
      await node(cwd, [CDK, 'synth', STACK, '--quiet', '--output', output, ...contexts], client, log('synth'));
      removeUnsupported(output, unsupported);
    };
    /** Returns environments of tests and commands. */
    const deploy = async (cwd: string) => {
      const outputsFile = join(directory, 'outputs.json');
      await synthesize(cwd, assembly);
      const options = ['--require-approval', 'never', '--app', assembly, '--outputs-file', outputsFile];
      await cdk(cwd, 'deploy', STACK, ...options);
      await grantEmulatorRights(emulator.endpoint);
      const outputs: Outputs = JSON.parse(await readFile(outputsFile, 'utf8'))[STACK];
      await putGatewayResponses(emulator.endpoint, {
        [outputs.ChatApiId]: chatApi.name,
        [outputs.PlatformApiId]: platformApi.name,
        [outputs.WebhookApiId]: webhookApi.name,
      });
      const { test, operator } = targetEnvironments(emulator, outputs);
      return { test: { ...client, ...test }, operator: { ...client, ...operator } };
    };

    /** Deploys with other settings while continuously calling the routes. */
    const update = async (name: string, settings: string[], operator: NodeJS.ProcessEnv) => {
      const output = join(directory, name.replaceAll(' ', '-'));
      await synthesize(ROOT, output, settings, UNSUPPORTED_IN_SWITCHES);
      const { chatBaseUrl, apiBaseUrl, webhookBaseUrl } = VARIABLES;
      const watch = watchRoutes(operator[chatBaseUrl]!, operator[apiBaseUrl]!, operator[webhookBaseUrl]!);
      const args = ['deploy', STACK, '--app', output, '--require-approval', 'never', '--no-notices'];
      await node(ROOT, [CDK, ...args], client, log('switch')).catch(async error => {
        await watch.end().catch(() => {});
        throw error;
      });
      return watch.end();
    };

    await cdk(ROOT, 'bootstrap', `aws://${ACCOUNT}/${REGION}`);
    const noted = join(directory, 'tenant.json');
    // Older commits cannot create the tenant.
    const createsTenant = earlier !== undefined && existsSync(join(earlier, 'test/support/fullTenant.ts'));
    if (earlier && !createsTenant) await deploy(earlier);
    if (earlier && createsTenant) {
      const { test: target } = await deploy(earlier);
      await step('create a tenant', () =>
        node(earlier, ['--input-type=module', '--eval', CREATE_TENANT, noted], target, log('leave')),
      );
      say(await step('read it', () => node(ROOT, [UPGRADE, 'before', noted], target, log('before'))));
    }
    const { test: target, operator } = await deploy(ROOT);
    // Checks that a repeated deployment changes nothing.
    const again = join(directory, 'cdk.again');
    await synthesize(ROOT, again);
    await cdk(ROOT, 'diff', STACK, '--fail', '--app', again);
    try {
      await step('bootstrap', async () => {
        const first = ['--email', 'first@example.com', '--workspace', 'Acme'];
        const output = await node(ROOT, [BOOTSTRAP, ...first], client, log('first'));
        if (!/^token +bp_pat_/m.test(output)) throw new Error(`The output contains no token: ${output}`);
      });
      if (createsTenant) {
        say(await step('read and change it', () => node(ROOT, [UPGRADE, 'after', noted], target, log('after'))));
      } else if (mode === 'cli') {
        const cli = { ...process.env, ...target, HOME: process.env.HOME, PATH: process.env.PATH };
        const variables = { ...cli, PARLEY_DIR: join(directory, 'cli') };
        say(await step('test the command line', () => node(ROOT, [COMMAND_LINE], variables, log('test'))));
      } else {
        if (mode !== 'switch')
          say(await step('smoke', () => node(ROOT, [SMOKE, ...SMOKE_OPTIONS], operator, log('smoke'))));
        const args = [VITEST, 'run', ...API_TESTS, ...TEST_OPTIONS];
        if (mode === 'apis') say(totals(await step('test the APIs', () => node(ROOT, args, target, log('test')))));
        for (const [name, settings] of SWITCHES) say(await step(name, () => update(name, settings, operator)));
      }
      if (mode !== 'cli') await step('check permissions', () => requireRights(emulator));
    } catch (error) {
      if (!signal.aborted)
        say(['Errors in the logs of functions:', ...(await functionErrors(emulator.endpoint))].join('\n'));
      throw error;
    } finally {
      if (!signal.aborted) await cdk(ROOT, 'destroy', STACK, '--force', '--app', assembly);
    }
  } finally {
    await emulator.stop();
  }
}

/** Checks out the commit and installs its dependencies. Returns the directory. */
async function checkOut(directory: string): Promise<string> {
  const cwd = join(directory, 'earlier');
  await mkdir(cwd);
  const execute = (program: string, args: string[], within: string) =>
    run({ program, args, cwd: within, env: process.env, logFile: join(directory, 'earlier.log') }, signal);
  const archive = join(directory, 'earlier.tar');
  await execute('git', ['archive', '--output', archive, commit], ROOT);
  await execute('tar', ['-xf', archive], cwd);
  await execute('npm', ['ci', '--no-audit', '--no-fund'], cwd);
  return cwd;
}

/** Runs in the earlier version, which creates the tenant. */
const CREATE_TENANT = `
  import { writeFileSync } from 'node:fs';
  import { newFullTenant } from '#test/support/fullTenant.ts';
  const { apiBaseUrl, chatBaseUrl } = JSON.parse(process.env.PARLEY_TARGET);
  const tenant = await newFullTenant(apiBaseUrl, chatBaseUrl);
  writeFileSync(process.argv[1], JSON.stringify({ tenant }));
`;

/** Responses do not show denials of consumers, which become dead letters. */
async function requireRights({ endpoint }: Emulator): Promise<void> {
  const refused = await functionErrors(endpoint, 'not authorized to perform');
  if (refused.length > 0) throw new Error(['Functions lack permissions:', ...refused].join('\n'));
}

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

const totals = (output: string) =>
  output
    .split('\n')
    .filter(line => /^ *(Test Files|Tests) /.test(line))
    .join('\n');

/** Returns the complete environment of a command, isolated from the user's AWS account and settings. */
const isolatedEnvironment = (directory: string) => ({
  HOME: directory,
  TMPDIR: directory,
  LANG: 'C.UTF-8',
  NO_COLOR: '1',
  // The CDK's app and the functions run on this `node`.
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

function targetEnvironments({ endpoint }: Emulator, outputs: Outputs) {
  const baseUrl = (apiId: string, stage: string) => `${endpoint}/restapis/${apiId}/${stage}/_user_request_`;
  const chatBaseUrl = baseUrl(outputs.ChatApiId, chatApi.name);
  const apiBaseUrl = baseUrl(outputs.PlatformApiId, platformApi.name);
  const stored = {
    [VARIABLES.sealingKey]: SEALING_KEY,
    [VARIABLES.tableName]: outputs.TableName,
    [VARIABLES.bucketName]: outputs.BucketName,
  };
  return {
    /** Read by `test/support/platform.ts`. */
    test: { ...stored, PARLEY_TARGET: JSON.stringify({ chatBaseUrl, apiBaseUrl, awsChatUrl: outputs.ChatBaseUrl }) },
    /** Read by `infra/operator/target/target.ts`, because the stack's outputs contain AWS's addresses. */
    operator: {
      ...stored,
      [VARIABLES.chatBaseUrl]: chatBaseUrl,
      [VARIABLES.apiBaseUrl]: apiBaseUrl,
      [VARIABLES.webhookBaseUrl]: baseUrl(outputs.WebhookApiId, webhookApi.name),
    },
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
