/** Removes what a deleted integration leaves behind: its definition, tokens, log and objects. */
import type { Progress } from '#shared/storage/dynamodb/partitionCleanup.ts';
import { clearIntegrationItems, clearLog } from '#shared/storage/dynamodb/workspace/cleanup.ts';
import { sweepTenant } from './sweepTenant.ts';

/** @throws OutOfTime */
export async function sweepIntegration(integrationId: string, progress: Progress): Promise<void> {
  await clearIntegrationItems(integrationId, progress);
  await clearLog(integrationId, progress);
  await sweepTenant(integrationId, progress);
}
