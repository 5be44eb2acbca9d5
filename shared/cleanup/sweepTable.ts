/** Removes what a deleted table leaves behind, however much it is: its rows, their keys and vectors, its jobs. */
import { chooseEmbedder } from '#shared/ai/chooseEmbedder.ts';
import { chooseVectorStore } from '#shared/ai/chooseVectorStore.ts';
import { ROW_PARTS, rowsPk, tableNamesPk, tablePk, uniqueKeyPartitions } from '#shared/dynamodb/keys/tables.ts';
import { clearPartition, type Progress } from '#shared/dynamodb/partitionCleanup.ts';
import { listTableIds } from '#shared/dynamodb/tables/tables.ts';
import { rowIndexOf } from '#shared/tables/search/rowIndex.ts';

/** @throws OutOfTime */
export async function sweepTable(botId: string, tableId: string, progress: Progress): Promise<void> {
  // First what would make more of it: a job that is done looks whether the table is there.
  await clearPartition(tablePk(botId, tableId), progress);
  for (let part = 0; part < ROW_PARTS; part++) await clearPartition(rowsPk(botId, tableId, part), progress);
  for (const pk of uniqueKeyPartitions(botId, tableId)) await clearPartition(pk, progress);
  const [embedder, store] = await Promise.all([chooseEmbedder(), chooseVectorStore()]);
  await store.removeIndex(rowIndexOf(botId, tableId, embedder));
}

/** Of a bot that was deleted: all its tables. @param isLast nobody writes any more. @throws OutOfTime */
export async function sweepTables(botId: string, isLast: boolean, progress: Progress): Promise<void> {
  for (const tableId of await listTableIds(botId)) await sweepTable(botId, tableId, progress);
  // By their names the tables are found, also by the last pass.
  if (isLast) await clearPartition(tableNamesPk(botId), progress);
}
