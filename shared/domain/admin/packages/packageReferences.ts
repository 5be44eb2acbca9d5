import { mapConcurrently } from '#shared/core/concurrency.ts';
import { ApiError } from '#shared/core/errors.ts';
import { applyChanges } from '#shared/core/mapChanges.ts';
import { requireVersionRange } from '#shared/core/versions.ts';
import { requireDeclarationLimit } from '#shared/domain/admin/definition.ts';
import { findIntegration, isVisibleTo } from '#shared/storage/dynamodb/integrations/integrations.ts';
import {
  findOwnVersion,
  findPublicVersion,
  type NamedKind,
} from '#shared/storage/dynamodb/integrations/integrationVersions.ts';
import { findPackage, isPackageVisibleTo } from '#shared/storage/dynamodb/integrations/packages.ts';
import type { PluginDefinition, Reference } from './definitions.ts';
import type { Dependencies, Dependency } from './packageInputs.ts';

/** Each dependency costs up to three reads. */
const CONCURRENCY = 10;

/**
 * Resolves the changed references. Null removes a reference. Unnamed references keep their resolution.
 * @param path the map's path in the request
 * @throws ApiError ReferenceNotFound for an inaccessible package, InvalidPayload for an invalid version
 */
async function changedReferences(
  kind: NamedKind,
  workspaceId: string,
  before: Record<string, Reference>,
  changes: Record<string, Dependency | null> | undefined,
  path: string,
): Promise<Record<string, Reference>> {
  requireDeclarationLimit({ [path]: changes });
  const resolved = await mapConcurrently(Object.entries(changes ?? {}), CONCURRENCY, async ([alias, requested]) => [
    alias,
    requested && (await resolveReference(kind, workspaceId, requested, `${path}.${alias}`)),
  ]);
  const after = applyChanges(before, Object.fromEntries(resolved));
  requireDeclarationLimit({ [path]: after });
  return after;
}

export async function withInterfaceNames<Implemented extends { id: string }>(
  workspaceId: string,
  interfaces: Record<string, Implemented | null> | undefined,
): Promise<Record<string, (Implemented & Reference) | null> | undefined> {
  if (interfaces === undefined) return undefined;
  requireDeclarationLimit({ interfaces });
  const resolved = await mapConcurrently(Object.entries(interfaces), CONCURRENCY, async ([alias, implemented]) => [
    alias,
    implemented && {
      ...implemented,
      ...(await resolveReference('interface', workspaceId, { id: implemented.id }, `interfaces.${alias}`)),
    },
  ]);
  return Object.fromEntries(resolved);
}

async function resolveReference(
  kind: NamedKind,
  workspaceId: string,
  { id: givenId, name = '', version: wanted = 'latest' }: Dependency,
  path: string,
): Promise<Reference> {
  const id = givenId || (await findByName(kind, workspaceId, name, wanted, path));
  const found = id === undefined ? undefined : await findVisible(kind, workspaceId, id);
  if (found) return { id: found.id, name: found.name, version: found.version };
  const what = givenId ? givenId : `${name} ${wanted}`;
  const message = `The ${kind} ${what} does not exist in this workspace or the hub. Deploy it first, or make it public in its workspace.`;
  throw new ApiError('ReferenceNotFound', message, { metadata: { issues: [{ path, message }] } });
}

/** Prefers the workspace's own packages over the hub's. */
async function findByName(kind: NamedKind, workspaceId: string, name: string, wanted: string, path: string) {
  await requireVersionRange(wanted, `${path}.version`);
  return (await findOwnVersion(workspaceId, kind, name, wanted)) ?? (await findPublicVersion(kind, name, wanted));
}

async function findVisible(kind: NamedKind, workspaceId: string, id: string): Promise<Reference | undefined> {
  if (kind === 'integration') {
    const found = await findIntegration(id);
    return found && isVisibleTo(found, workspaceId) ? found : undefined;
  }
  const found = await findPackage(kind, id);
  return found && isPackageVisibleTo(found, workspaceId) ? found : undefined;
}

/** @throws the errors of {@link changedReferences} */
export async function changedDependencies(
  workspaceId: string,
  before: PluginDefinition['dependencies'],
  changes: Dependencies = {},
): Promise<PluginDefinition['dependencies']> {
  const changed = (kind: 'interface' | 'integration', name: 'interfaces' | 'integrations') =>
    changedReferences(kind, workspaceId, before[name], changes[name], `dependencies.${name}`);
  const [interfaces, integrations] = await Promise.all([
    changed('interface', 'interfaces'),
    changed('integration', 'integrations'),
  ]);
  return { interfaces, integrations };
}
