import { rowIndexOf } from '#shared/domain/tables/search/rowIndex.ts';
import { clearTable, clearTableNames } from '#shared/storage/dynamodb/cleanup/tables.ts';
import type { Progress } from '#shared/storage/dynamodb/engine/partitionCleanup.ts';
import { listTableIds } from '#shared/storage/dynamodb/tables/tables.ts';
import { deleteObjects } from '#shared/storage/s3/objects.ts';
import { snapshotPrefix } from '#shared/storage/s3/prefixes.ts';
import { removeIndexes } from './removeIndexes.ts';

/** Deletes a deleted table's rows, unique keys, jobs, snapshots and vectors. @throws OutOfTime */
export async function sweepTable(botId: string, tableId: string, progress: Progress): Promise<void> {
  await clearTable(botId, tableId, progress);
  progress.removed += await deleteObjects(snapshotPrefix(botId, tableId));
  await removeIndexes(model => rowIndexOf(botId, tableId, model));
}

export async function sweepTables(botId: string, isLast: boolean, progress: Progress): Promise<void> {
  for (const tableId of await listTableIds(botId)) await sweepTable(botId, tableId, progress);
  // The last pass still finds the tables by name.
  if (isLast) await clearTableNames(botId, progress);
}
