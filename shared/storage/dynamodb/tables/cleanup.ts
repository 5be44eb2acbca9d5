/** Removes what deleted tables leave behind. */
import { logPartitions, tablePartitionsOf } from '#shared/storage/dynamodb/keys/tables.ts';
import { clearPartition, clearSections, type Progress } from '#shared/storage/dynamodb/partitionCleanup.ts';

/** Removes a table's jobs, rows, unique keys and log. @throws OutOfTime */
export async function clearTable(botId: string, tableId: string, progress: Progress): Promise<void> {
  // First the jobs, which would write more rows.
  const pks = [...tablePartitionsOf(botId, tableId), ...logPartitions(botId, tableId)];
  for (const pk of pks) await clearPartition(pk, progress);
}

/** Removes the names by which the tables of a bot are found. @throws OutOfTime */
export const clearTableNames = (botId: string, progress: Progress): Promise<void> =>
  clearSections('bot', botId, ['tableNames'], progress);
