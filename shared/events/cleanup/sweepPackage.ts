import { clearPackageItems } from '#shared/storage/dynamodb/cleanup/workspace.ts';
import type { Progress } from '#shared/storage/dynamodb/engine/partitionCleanup.ts';
import { sweepObjects } from './sweepTenant.ts';

/** Deletes a deleted interface's or plugin's definition and objects. @throws OutOfTime */
export async function sweepPackage(packageId: string, progress: Progress): Promise<void> {
  await clearPackageItems(packageId, progress);
  await sweepObjects(packageId, progress);
}
