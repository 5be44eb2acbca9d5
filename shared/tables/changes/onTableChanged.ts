/** What follows when a table changed, or is gone. */

import { splitPk } from '#shared/dynamodb/keys/table.ts';
import type { StreamChange } from '#shared/dynamodb/streamChange.ts';
import { parseTable } from '#shared/dynamodb/tables/tables.ts';
import { enqueueSweep } from '#shared/queues/sweeps.ts';
import { refreshRows } from '#shared/tables/jobs/refresh/refreshRows.ts';

export async function onTableChanged({ event, pk, before, after }: StreamChange): Promise<void> {
  const { botId, id } = splitPk(pk);
  if (event === 'REMOVE') return enqueueSweep({ kind: 'table', botId, tableId: id, isSecondPass: false });
  await refreshRows(botId, parseTable(before), parseTable(after));
}
