/** Removes what bots, integrations and workspaces have in common: stored answers, logs and objects. */
import { OutOfTime, type Progress } from '#shared/dynamodb/partitionCleanup.ts';
import { clearTenantItems } from '#shared/dynamodb/workspace/cleanup.ts';
import { assetPrefix } from '#shared/s3/assets.ts';
import { filePrefix } from '#shared/s3/files.ts';
import { bigValuePrefix } from '#shared/s3/largeValue.ts';
import { deleteObjects } from '#shared/s3/objects.ts';

/** @throws OutOfTime */
export async function sweepTenant(tenant: string, progress: Progress): Promise<void> {
  await clearTenantItems(tenant, progress);
  for (const prefix of [bigValuePrefix(tenant), assetPrefix(tenant), filePrefix(tenant)]) {
    let deleted: number;
    do {
      if (!progress.isTimeLeft()) throw new OutOfTime();
      deleted = await deleteObjects(prefix);
      progress.removed += deleted;
    } while (deleted > 0);
  }
}
