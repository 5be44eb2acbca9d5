/** Removes what a deleted integration leaves: its definition, keys, log and objects. */

import { integrationPk } from '#shared/dynamodb/keys/workspace.ts';
import { clearPartition, type Progress } from '#shared/dynamodb/partitionCleanup.ts';
import { clearTenant } from './sweepBot.ts';

/** @throws OutOfTime */
export async function sweepIntegration(integrationId: string, progress: Progress): Promise<void> {
  await clearPartition(integrationPk(integrationId), progress);
  await clearTenant(integrationId, progress);
}
