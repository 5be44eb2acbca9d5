import {
  GetFunctionConfigurationCommand,
  LambdaClient,
  ListAliasesCommand,
  UpdateFunctionConfigurationCommand,
  waitUntilFunctionUpdated,
} from '@aws-sdk/client-lambda';
import { GetSecretValueCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { allResourcesOf } from '#infra/operator/target/stackResources.ts';
import { UsageError } from '#infra/operator/target/target.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import type { RotationTarget } from './rotate.ts';
import { sealingSecretOf } from './useSealingKey.ts';

/** Operations seal secrets, and time out after 29 seconds. Consumers run longer, but never seal. */
const MAX_CALL_MS = 60_000;
const UPDATED_WITHIN_SECONDS = 300;

/**
 * Returns the rotation of a stack. It updates functions directly, because CloudFormation resolves the reference to the
 * secret only when a function's template changes. The next deployment resolves the reference to the same value.
 * @throws UsageError for a stack whose key is a setting, or whose functions run published versions
 */
export async function stackRotation(stack: string): Promise<RotationTarget> {
  const SecretId = await sealingSecretOf(stack);
  if (!SecretId) {
    throw new UsageError(
      `The sealing key of stack ${stack} is its setting sealingKey, which cannot be rotated. To use a rotatable key, deploy a stack without that setting and import the workspaces into it.`,
    );
  }
  const secrets = new SecretsManagerClient({});
  const readRing = async () => (await secrets.send(new GetSecretValueCommand({ SecretId }))).SecretString!;
  const lambda = new LambdaClient({});
  const names = await functionsWithKey(lambda, stack);
  return {
    longestCallMs: MAX_CALL_MS,
    readRing,

    useRing: async text => {
      if ((await readRing()) !== text) await secrets.send(new PutSecretValueCommand({ SecretId, SecretString: text }));
      for (const name of names) await setKey(lambda, name, text);
      for (const FunctionName of names) {
        await waitUntilFunctionUpdated({ client: lambda, maxWaitTime: UPDATED_WITHIN_SECONDS }, { FunctionName });
      }
    },
  };
}

/** Lists a stack's functions with the sealing key. @throws UsageError when one of them runs a published version */
async function functionsWithKey(lambda: LambdaClient, stack: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { type, physicalId: FunctionName } of allResourcesOf(stack)) {
    if (type !== 'AWS::Lambda::Function') continue;
    const { Environment } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
    if (Environment?.Variables?.[VARIABLES.sealingKey] === undefined) continue;
    const { Aliases = [] } = await lambda.send(new ListAliasesCommand({ FunctionName }));
    if (Aliases.length > 0) {
      throw new UsageError(
        `${FunctionName} runs a published version, whose environment cannot change. Deploy with -c rollout=at-once, rotate the key, and deploy with your settings again.`,
      );
    }
    names.push(FunctionName);
  }
  return names;
}

async function setKey(lambda: LambdaClient, FunctionName: string, text: string): Promise<void> {
  const { Environment, RevisionId } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
  const { Variables = {} } = Environment ?? {};
  if (Variables[VARIABLES.sealingKey] === text) return;
  await lambda.send(
    new UpdateFunctionConfigurationCommand({
      FunctionName,
      RevisionId,
      Environment: { Variables: { ...Variables, [VARIABLES.sealingKey]: text } },
    }),
  );
}
