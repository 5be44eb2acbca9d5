/**
 * Publishes the well-known interfaces, so that what names one deploys. They belong to a workspace that has no record,
 * and so no member: nobody changes, deletes or withdraws them. A name that a workspace has published before stays with
 * it.
 */
import { clock } from '#shared/core/clock.ts';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { ApiError } from '#shared/core/errors.ts';
import { newPackageId, SYSTEM_WORKSPACE_ID } from '#shared/core/ids.ts';
import { type Package, putNewPackage } from '#shared/storage/dynamodb/integrations/packages.ts';
import { findOwnVersion } from '#shared/storage/dynamodb/integrations/versions.ts';
import { write } from '#shared/storage/dynamodb/transaction.ts';
import { changedInterface, changedPackage } from './changes.ts';
import { EMPTY_INTERFACE } from './definitions.ts';
import { NewInterface } from './inputs.ts';
import { WELL_KNOWN_INTERFACES } from './wellKnown/interfaces.ts';

export interface SeedResult {
  /** Published by this run. */
  added: string[];
  /** Taken by a workspace, which publishes its own. */
  taken: string[];
}

/** Adds what is missing, however often and concurrently it runs. */
export async function seedInterfaces(nowMs = clock.now()): Promise<SeedResult> {
  const result: SeedResult = { added: [], taken: [] };
  // One at a time: they share a count.
  await mapConcurrently(WELL_KNOWN_INTERFACES, 1, async declared => {
    const input = NewInterface.parse(declared);
    const { name, version } = input;
    const isThere = await findOwnVersion(SYSTEM_WORKSPACE_ID, 'interface', name, version);
    if (isThere) return;
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
      // Another run was faster, or a workspace was.
      if (!(await findOwnVersion(SYSTEM_WORKSPACE_ID, 'interface', name, version))) {
        result.taken.push(`${name} ${version}`);
      }
    }
  });
  return result;
}
