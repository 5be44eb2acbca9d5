/** Tests the rotation of a stack's sealing key in the AWS emulator. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudFormationClient, CreateStackCommand, waitUntilStackCreateComplete } from '@aws-sdk/client-cloudformation';
import { CreateAliasCommand, GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Emulator, installEmulator, startEmulator } from '#infra/emulated/emulator.ts';
import { rotateKey } from '#infra/operator/rotation/rotate.ts';
import { stackRotation } from '#infra/operator/rotation/stackRotation.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { parseKeyRing } from '#shared/core/keyRing.ts';

let emulator: Emulator;

beforeAll(async () => {
  const TMPDIR = await mkdtemp(join(tmpdir(), 'rotation-'));
  const log = join(TMPDIR, 'emulator.log');
  const signal = new AbortController().signal;
  await installEmulator(log, signal);
  emulator = await startEmulator({ ...process.env, TMPDIR }, log, signal);
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: emulator.endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    NODE_EXTRA_CA_CERTS: emulator.certificateFile,
  });
}, 300_000);
afterAll(() => emulator?.stop());

const role = 'arn:aws:iam::000000000000:role/none';
const lambdaFunction = (FunctionName: string, Variables: Record<string, unknown>) => ({
  Type: 'AWS::Lambda::Function',
  Properties: {
    FunctionName,
    Runtime: 'nodejs22.x',
    Handler: 'index.handler',
    Role: role,
    Code: { ZipFile: 'exports.handler = async () => process.env.SEALING_KEY' },
    Environment: { Variables },
  },
});

/** @param prefix of the names, which are unique per account */
async function createStack(StackName: string, prefix: string, hasSecret = true): Promise<void> {
  const key = hasSecret
    ? { 'Fn::Join': ['', ['{{resolve:secretsmanager:', { Ref: 'SealingSecret' }, ':SecretString:::}}']] }
    : 'a given key';
  const template = {
    Resources: {
      ...(hasSecret
        ? {
            SealingSecret: {
              Type: 'AWS::SecretsManager::Secret',
              Properties: { SecretString: 'the first sealing key' },
            },
          }
        : {}),
      One: lambdaFunction(`${prefix}-one`, { [VARIABLES.sealingKey]: key, OTHER: 'kept' }),
      Two: lambdaFunction(`${prefix}-two`, { [VARIABLES.sealingKey]: key }),
      Without: lambdaFunction(`${prefix}-without`, { OTHER: 'kept' }),
    },
  };
  const client = new CloudFormationClient({});
  await client.send(new CreateStackCommand({ StackName, TemplateBody: JSON.stringify(template) }));
  await waitUntilStackCreateComplete({ client, maxWaitTime: 60 }, { StackName });
}

const variablesOf = async (FunctionName: string) =>
  (await new LambdaClient({}).send(new GetFunctionConfigurationCommand({ FunctionName }))).Environment?.Variables;

it('sets the stored key of the functions that had one, and changes nothing else', async () => {
  await createStack('Parley', 'p');
  const target = await stackRotation('Parley');
  const rings: string[] = [];

  await rotateKey(target, {
    newSecret: () => 'the second sealing key',
    reseal: async () => {
      rings.push((await variablesOf('p-two'))![VARIABLES.sealingKey]!);
      return { owners: 0, secrets: 0 };
    },
    sleep: async () => {},
    say: () => {},
  });

  expect(rings.map(text => parseKeyRing(text))).toEqual([
    expect.objectContaining({
      state: 'keys',
      current: expect.objectContaining({ secret: 'the second sealing key' }),
      other: expect.objectContaining({ secret: expect.any(String) }),
    }),
  ]);
  expect(await target.readRing()).toBe('the second sealing key');
  expect(await variablesOf('p-one')).toEqual({ [VARIABLES.sealingKey]: 'the second sealing key', OTHER: 'kept' });
  expect(await variablesOf('p-two')).toEqual({ [VARIABLES.sealingKey]: 'the second sealing key' });
  expect(await variablesOf('p-without')).toEqual({ OTHER: 'kept' });
});

it('rejects a stack whose key is a setting', async () => {
  await createStack('Given', 'g', false);

  await expect(stackRotation('Given')).rejects.toThrow('its setting sealingKey, which cannot be rotated');
});

it('rejects a stack whose functions run published versions', async () => {
  await createStack('Gradual', 'v');
  await new LambdaClient({}).send(
    new CreateAliasCommand({ FunctionName: 'v-one', Name: 'live', FunctionVersion: '$LATEST' }),
  );

  await expect(stackRotation('Gradual')).rejects.toThrow('v-one runs a published version');
});
