import { clearTenantItems } from '#shared/storage/dynamodb/cleanup/workspace.ts';
import { OutOfTime, type Progress } from '#shared/storage/dynamodb/engine/partitionCleanup.ts';
import { deleteObjects } from '#shared/storage/s3/objects.ts';
import { tenantPrefixes } from '#shared/storage/s3/prefixes.ts';

export async function sweepTenant(tenant: string, progress: Progress): Promise<void> {
  await clearTenantItems(tenant, progress);
  await sweepObjects(tenant, progress);
}

export async function sweepObjects(tenant: string, progress: Progress): Promise<void> {
  for (const prefix of tenantPrefixes(tenant)) {
    let deleted: number;
    do {
      if (!progress.isTimeLeft()) throw new OutOfTime();
      deleted = await deleteObjects(prefix);
      progress.removed += deleted;
    } while (deleted > 0);
  }
}
