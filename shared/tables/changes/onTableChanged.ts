/** What follows when a table changed, or is gone. */
import { requestSweep } from '#shared/queues/sweeps.ts';
import { splitPk } from '#shared/dynamodb/keys.ts';
import type { Change } from '#shared/dynamodb/streamChange.ts';
import { parseTable } from '#shared/dynamodb/tables/tables.ts';
import { refreshRows } from '#shared/tables/jobs/refresh.ts';

export async function followTable({ event, pk, before, after }: Change): Promise<void> {
  const { botId, id } = splitPk(pk);
  if (event === 'REMOVE') return requestSweep({ kind: 'table', botId, tableId: id, isSecondPass: false });
  await refreshRows(botId, parseTable(before), parseTable(after));
}
