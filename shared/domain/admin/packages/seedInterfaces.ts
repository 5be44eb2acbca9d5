/**
 * Publishes the well-known interfaces, on which deployments depend. They belong to a workspace without a record and
 * therefore without members. A name that a workspace published earlier stays with it.
 */
import { clock } from '#shared/core/clock.ts';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { ApiError } from '#shared/core/errors.ts';
import { newPackageId, SYSTEM_WORKSPACE_ID } from '#shared/core/ids.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { findOwnVersion } from '#shared/storage/dynamodb/integrations/integrationVersions.ts';
import { type Package, putNewPackage } from '#shared/storage/dynamodb/integrations/packages.ts';
import { EMPTY_INTERFACE } from './definitions.ts';
import { changedInterface, changedPackage } from './packageChanges.ts';
import { NewInterface } from './packageInputs.ts';
import { WELL_KNOWN_INTERFACES } from './wellKnown/wellKnownInterfaces.ts';

export interface SeedResult {
  added: string[];
  taken: string[];
}

/** Adds missing interfaces. Idempotent, and safe to run concurrently. */
export async function seedInterfaces(
  nowMs = clock.now(),
  interfaces: readonly unknown[] = WELL_KNOWN_INTERFACES,
): Promise<SeedResult> {
  const result: SeedResult = { added: [], taken: [] };
  // Sequential, because they share a counter.
  await mapConcurrently(interfaces, 1, async declared => {
    const input = NewInterface.parse(declared);
    const { name, version } = input;
    const exists = await findOwnVersion(SYSTEM_WORKSPACE_ID, 'interface', name, version);
    if (exists) return;
    const blank: Package = {
      id: newPackageId('interface', nowMs),
      kind: 'interface',
      workspaceId: SYSTEM_WORKSPACE_ID,
      name,
      version,
      title: name,
      description: '',
      visibility: 'public',
      createdAtMs: nowMs,
      updatedAtMs: nowMs - 1,
      revision: 0,
    };
    try {
      await write(await putNewPackage(changedPackage(blank, input, nowMs), changedInterface(EMPTY_INTERFACE, input)));
      result.added.push(`${name} ${version}`);
    } catch (error) {
      if (!(error instanceof ApiError) || error.type !== 'AlreadyExists') throw error;
      // Another run or a workspace published it first.
      if (!(await findOwnVersion(SYSTEM_WORKSPACE_ID, 'interface', name, version))) {
        result.taken.push(`${name} ${version}`);
      }
    }
  });
  return result;
}
