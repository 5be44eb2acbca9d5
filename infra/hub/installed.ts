/** Integrations in the hub of the installation. */
import { clock } from '#shared/core/clock.ts';
import { randomText } from '#shared/core/ids.ts';
import { chooseVersion } from '#shared/core/versions.ts';
import { seedInterfaces } from '#shared/domain/admin/packages/seedInterfaces.ts';
import type { IntegrationDefinition } from '#shared/storage/dynamodb/definitions/integrationDefinition.ts';
import { listPublished } from '#shared/storage/dynamodb/integrations/hub.ts';
import {
  findIntegrations,
  findIntegrationWithDefinition,
  type Integration,
} from '#shared/storage/dynamodb/integrations/integrations.ts';
import { findPublicVersion } from '#shared/storage/dynamodb/integrations/integrationVersions.ts';
import { openSecrets } from '#shared/storage/dynamodb/secrets/sealed.ts';
import type { Source } from './catalog.ts';

/** An attribute of an integration: the {@link Source.hash} that was deployed. */
export const SOURCE = 'source';

const UNSET = 'not-set-yet-';
/**
 * Returns a value for a secret without one: the CLI requires a value, and code may require one to start. It is random,
 * because some secrets authenticate the provider's calls.
 */
export const newPlaceholder = () => `${UNSET}${randomText(32)}`;

export async function listInstalled(): Promise<Integration[]> {
  const entries = await listPublished('integration');
  return [...(await findIntegrations(entries.map(({ id }) => id))).values()];
}

export type State = 'absent' | 'current' | 'changed' | 'behind' | 'foreign';

/** Compares the newest version in the hub with the clone. `foreign`: a workspace published its own integration. */
export async function stateOf(
  source: Source,
  installed: readonly Integration[],
): Promise<{ state: State; newest?: Integration }> {
  const versions = installed.filter(({ name }) => name === source.name);
  const newest = await newestOf(versions);
  if (!newest) return { state: 'absent' };
  const { [SOURCE]: deployed } = newest.attributes;
  if (deployed === source.hash) return { state: 'current', newest };
  if (deployed === undefined && !versions.some(({ attributes }) => SOURCE in attributes)) {
    return { state: 'foreign', newest };
  }
  return { state: source.version === newest.version ? 'changed' : 'behind', newest };
}

async function newestOf(versions: readonly Integration[]): Promise<Integration | undefined> {
  const newest = await chooseVersion(
    versions.map(({ version }) => version),
    'latest',
  );
  return versions.find(({ version }) => version === newest);
}

export interface Deployed {
  integration: Integration;
  definition: IntegrationDefinition;
  /** Without placeholders. */
  secrets: Record<string, string>;
}

/** Requires the sealing key. */
export async function findDeployed(name: string, wanted: string): Promise<Deployed | undefined> {
  const id = await findPublicVersion('integration', name, wanted);
  const found = id === undefined ? undefined : await findIntegrationWithDefinition(id);
  if (!found) return undefined;
  const secrets = Object.entries(openSecrets(found.integration.id, found.definition.secrets));
  return { ...found, secrets: Object.fromEntries(secrets.filter(([, value]) => !value.startsWith(UNSET))) };
}

/** Publishes an interface unless the hub has this version. The hub's interfaces belong to no workspace's members. */
export async function addInterface(
  name: string,
  version: string,
  read: () => Promise<object>,
): Promise<'added' | 'exists'> {
  if (await findPublicVersion('interface', name, version)) return 'exists';
  const { taken } = await seedInterfaces(clock.now(), [{ ...(await read()), public: true }]);
  if (taken.length > 0)
    throw new Error(
      `A workspace publishes the interface ${name}. Delete it there, because integrations need ${version}.`,
    );
  return 'added';
}
