import { clearIntegrationItems, clearLog } from '#shared/storage/dynamodb/cleanup/workspace.ts';
import type { Progress } from '#shared/storage/dynamodb/engine/partitionCleanup.ts';
import { sweepTenant } from './sweepTenant.ts';

/** Deletes a deleted integration's definition, tokens, log and objects. @throws OutOfTime */
export async function sweepIntegration(integrationId: string, progress: Progress): Promise<void> {
  await clearIntegrationItems(integrationId, progress);
  await clearLog(integrationId, progress);
  await sweepTenant(integrationId, progress);
}
