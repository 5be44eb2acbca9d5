import { findIntegrationWithDefinition } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { findOwnVersion } from '#shared/storage/dynamodb/integrations/integrationVersions.ts';
import { openSecrets } from '#shared/storage/dynamodb/secrets/sealed.ts';

/**
 * Returns the secrets of the version that precedes a new one in its workspace. `bp deploy` treats them as known and
 * does not send them again. Null in the new version's `secrets` omits one.
 */
export async function inheritedSecrets(
  workspaceId: string,
  { name, version, dev }: { name: string; version: string; dev?: boolean | undefined },
): Promise<Record<string, string>> {
  // Code of bp dev has its secrets in its own environment.
  const id = dev ? undefined : await findOwnVersion(workspaceId, 'integration', name, `<${version}`);
  const previous = id === undefined ? undefined : await findIntegrationWithDefinition(id);
  return previous ? openSecrets(previous.integration.id, previous.definition.secrets) : {};
}
