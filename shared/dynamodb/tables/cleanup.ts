/** Removes what deleted tables leave behind. */
import {
  logPartitions,
  ROW_PARTS,
  rowsPk,
  tableNamesPk,
  tablePk,
  uniqueKeyPartitions,
} from '#shared/dynamodb/keys/tables.ts';
import { clearPartition, type Progress } from '#shared/dynamodb/partitionCleanup.ts';

/** Removes a table's jobs, rows, unique keys and log. @throws OutOfTime */
export async function clearTable(botId: string, tableId: string, progress: Progress): Promise<void> {
  // First the jobs, which would write more rows.
  await clearPartition(tablePk(botId, tableId), progress);
  for (let part = 0; part < ROW_PARTS; part++) await clearPartition(rowsPk(botId, tableId, part), progress);
  const others = [...uniqueKeyPartitions(botId, tableId), ...logPartitions(botId, tableId)];
  for (const pk of others) await clearPartition(pk, progress);
}

/** Removes the names by which the tables of a bot are found. @throws OutOfTime */
export const clearTableNames = (botId: string, progress: Progress): Promise<void> =>
  clearPartition(tableNamesPk(botId), progress);
