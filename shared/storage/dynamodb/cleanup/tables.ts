import { clearPartition, type Progress } from '#shared/storage/dynamodb/engine/partitionCleanup.ts';
import { logPartitions, tablePartitionsOf } from '#shared/storage/dynamodb/keys/tables.ts';
import { clearSections } from './clearSections.ts';

export async function clearTable(botId: string, tableId: string, progress: Progress): Promise<void> {
  // Jobs first, because they would write more rows.
  const pks = [...tablePartitionsOf(botId, tableId), ...logPartitions(botId, tableId)];
  for (const pk of pks) await clearPartition(pk, progress);
}

export const clearTableNames = (botId: string, progress: Progress): Promise<void> =>
  clearSections('bot', botId, ['tableNames'], progress);
