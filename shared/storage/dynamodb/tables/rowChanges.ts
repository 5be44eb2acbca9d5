import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { idOfRowSk, rowPartOf, splitRowsPk } from '#shared/storage/dynamodb/keys/tables.ts';
import { parseRow, type Row } from './row.ts';

export interface RowStreamChange {
  id: number;
  part: number;
  sequenceNumber: string;
  atMs: number;
  before: Row | undefined;
  after: Row | undefined;
}

export interface TableRowChanges {
  botId: string;
  tableId: string;
  changes: RowStreamChange[];
}

export function groupByTable(changes: readonly StreamChange[]): TableRowChanges[] {
  const tables = new Map<string, TableRowChanges>();
  for (const change of changes) {
    const { botId, tableId } = splitRowsPk(change.pk);
    const name = `${botId}#${tableId}`;
    const table = tables.get(name) ?? { botId, tableId, changes: [] };
    table.changes.push(parseRowChange(change));
    tables.set(name, table);
  }
  return [...tables.values()];
}

function parseRowChange({ pk, sk, sequenceNumber, atMs, before, after }: StreamChange): RowStreamChange {
  const parseImage = (item: Record<string, unknown>) =>
    Object.keys(item).length > 0 ? parseRow({ ...item, pk, sk }) : undefined;
  const [was, is] = [parseImage(before), parseImage(after)];
  const id = idOfRowSk(sk);
  return { id, part: rowPartOf(id), sequenceNumber, atMs, before: was, after: is };
}
