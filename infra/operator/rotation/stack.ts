/** The sealing key of a deployed stack: a secret, which the functions that need it have in their environment. */
import {
  GetFunctionConfigurationCommand,
  LambdaClient,
  ListAliasesCommand,
  UpdateFunctionConfigurationCommand,
  waitUntilFunctionUpdated,
} from '@aws-sdk/client-lambda';
import { GetSecretValueCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { sealingSecretOf } from '#infra/operator/sealingKey.ts';
import { allResourcesOf } from '#infra/operator/stackResources.ts';
import { UsageError } from '#infra/operator/target.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import type { RotationTarget } from './rotate.ts';

/** Requests end after 29 seconds. Functions that run for longer open secrets, and seal none. */
const CALLS_END_AFTER_MS = 60_000;
const UPDATED_WITHIN_SECONDS = 300;

/**
 * Changes the environment of the stack's functions, which a deployment would only do with another change of theirs. The next
 * deployment finds the same text in the secret.
 * @throws UsageError for a stack whose key is a setting, or whose functions run published versions
 */
export async function stackRotation(stack: string): Promise<RotationTarget> {
  const SecretId = await sealingSecretOf(stack);
  if (!SecretId) {
    throw new UsageError(
      `The sealing key of stack ${stack} is its setting sealingKey, which cannot be rotated. Deploy without it, into a new stack, to keep the key in Secrets Manager.`,
    );
  }
  const secrets = new SecretsManagerClient({});
  const lambda = new LambdaClient({});
  const names = await functionsWithKey(lambda, stack);
  return {
    callsEndAfterMs: CALLS_END_AFTER_MS,
    readRing: async () => (await secrets.send(new GetSecretValueCommand({ SecretId }))).SecretString!,

    useRing: async text => {
      const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId }));
      if (SecretString !== text) await secrets.send(new PutSecretValueCommand({ SecretId, SecretString: text }));
      for (const name of names) await setKey(lambda, name, text);
      for (const FunctionName of names) {
        await waitUntilFunctionUpdated({ client: lambda, maxWaitTime: UPDATED_WITHIN_SECONDS }, { FunctionName });
      }
    },
  };
}

/** The functions of a stack that have the sealing key. @throws UsageError when one of them runs a published version */
async function functionsWithKey(lambda: LambdaClient, stack: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { type, physicalId: FunctionName } of allResourcesOf(stack)) {
    if (type !== 'AWS::Lambda::Function') continue;
    const { Environment, CapacityProviderConfig } = await lambda.send(
      new GetFunctionConfigurationCommand({ FunctionName }),
    );
    if (Environment?.Variables?.[VARIABLES.sealingKey] === undefined) continue;
    const { Aliases = [] } = await lambda.send(new ListAliasesCommand({ FunctionName }));
    if (CapacityProviderConfig || Aliases.length > 0) {
      throw new UsageError(
        `${FunctionName} runs a published version, whose environment cannot change. Deploy with -c rollout=at-once -c listeners=functions, rotate the key, and deploy with your settings again.`,
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
