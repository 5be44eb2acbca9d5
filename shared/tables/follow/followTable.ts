/** What follows when a table changed, or is gone. */
import { requestSweep } from '../../sweep.ts';
import { splitPk } from '../../table/keys.ts';
import type { Change } from '../../table/streamChange.ts';
import { parseTable } from '../../table/tables.ts';
import { refreshRows } from '../jobs/refresh.ts';

export async function followTable({ event, pk, before, after }: Change): Promise<void> {
  const { botId, id } = splitPk(pk);
  if (event === 'REMOVE') return requestSweep({ kind: 'table', botId, tableId: id, isSecondPass: false });
  await refreshRows(botId, parseTable(before), parseTable(after));
}
