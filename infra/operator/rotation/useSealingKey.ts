import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { localSealingKey } from '#infra/local/localSealingKey.ts';
import { resourcesOf } from '#infra/operator/target/stackResources.ts';
import { UsageError } from '#infra/operator/target/target.ts';
import { stateDirectory } from '#infra/settings/stateDirectory.ts';
import { VARIABLES } from '#shared/core/environment.ts';

/** Sets the sealing key unless the environment has one. @throws UsageError when the stack's key cannot be read */
export async function useSealingKey({ local, stack }: { local: boolean; stack: string }): Promise<void> {
  process.env[VARIABLES.sealingKey] ??= local ? await localSealingKey(stateDirectory) : await keyOfStack(stack);
}

async function keyOfStack(stack: string): Promise<string> {
  const SecretId = await sealingSecretOf(stack);
  if (!SecretId) {
    throw new UsageError(
      `Stack ${stack} does not generate its sealing key. Set ${VARIABLES.sealingKey} to the key that it was deployed with.`,
    );
  }
  const { SecretString } = await new SecretsManagerClient({}).send(new GetSecretValueCommand({ SecretId }));
  return SecretString!;
}

/** Returns the id of the secret with a stack's sealing key, or undefined for a stack with the setting `sealingKey`. */
export async function sealingSecretOf(stack: string): Promise<string | undefined> {
  for await (const { type, logicalId, physicalId } of resourcesOf(stack)) {
    if (type === 'AWS::SecretsManager::Secret' && logicalId.startsWith('Sealing')) return physicalId;
  }
  return undefined;
}
