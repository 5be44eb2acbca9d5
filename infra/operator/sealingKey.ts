/** The key by which the target has sealed its secrets, for commands that move them. */
import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { localSealingKey } from '#infra/local/sealingKey.ts';
import { stateDirectory } from '#infra/local/state.ts';
import { VARIABLES } from '#shared/environment.ts';
import { UsageError } from './target.ts';

/** Keeps one that the environment has. @throws UsageError when the stack has none that can be read */
export async function useSealingKey({ local, stack }: { local: boolean; stack: string }): Promise<void> {
  process.env[VARIABLES.sealingKey] ??= local ? await localSealingKey(stateDirectory) : await keyOfStack(stack);
}

async function keyOfStack(StackName: string): Promise<string> {
  const ids: string[] = [];
  for await (const page of paginateListStackResources({ client: new CloudFormationClient({}) }, { StackName })) {
    for (const { ResourceType, LogicalResourceId, PhysicalResourceId } of page.StackResourceSummaries ?? []) {
      if (ResourceType === 'AWS::SecretsManager::Secret' && LogicalResourceId?.startsWith('Sealing')) {
        ids.push(PhysicalResourceId!);
      }
    }
  }
  const [SecretId] = ids;
  if (!SecretId) {
    throw new UsageError(
      `Stack ${StackName} has no sealing key of its own. Set ${VARIABLES.sealingKey} to the text that it was deployed with.`,
    );
  }
  const { SecretString } = await new SecretsManagerClient({}).send(new GetSecretValueCommand({ SecretId }));
  return SecretString!;
}
