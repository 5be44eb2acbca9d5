import { refreshRows } from '#shared/domain/tables/jobs/refresh/refreshRows.ts';
import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { parseTable } from '#shared/storage/dynamodb/tables/tables.ts';
import { enqueueSweep } from '#shared/storage/queues/sweepJobs.ts';

export async function refreshTables({ event, botId, id, before, after }: StreamChange): Promise<void> {
  if (event === 'INSERT') return;
  if (event === 'REMOVE') return enqueueSweep({ kind: 'table', botId, tableId: id, isSecondPass: false });
  await refreshRows(botId, parseTable(before), parseTable(after));
}
