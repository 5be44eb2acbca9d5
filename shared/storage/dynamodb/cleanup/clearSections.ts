import { clearPartition, type Progress, removeAll } from '#shared/storage/dynamodb/engine/partitionCleanup.ts';
import type { Key } from '#shared/storage/dynamodb/keys/table.ts';
import { sectionOf, type TenantKind } from '#shared/storage/dynamodb/tenants/sections.ts';

/** Deletes listed records last, so that a crash leaves no unlisted data. @throws OutOfTime */
export async function clearSections(
  kind: TenantKind,
  tenant: string,
  names: readonly string[],
  progress: Progress,
  clearMore: (pk: string) => Promise<void> = async () => {},
): Promise<void> {
  let records: Key[] = [];
  const removeRecords = async () => {
    await removeAll(records);
    progress.removed += records.length;
    records = [];
  };
  for (const name of names) {
    for await (const { pk, listedSk } of sectionOf(kind, name).partitions(tenant)) {
      await clearPartition(pk, progress, sk => sk === listedSk);
      if (listedSk === undefined) continue;
      await clearMore(pk);
      records.push({ pk, sk: listedSk });
      if (records.length === REMOVED_TOGETHER) await removeRecords();
    }
    await removeRecords();
  }
}
const REMOVED_TOGETHER = 100;
