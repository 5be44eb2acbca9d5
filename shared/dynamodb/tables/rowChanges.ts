/** Changes of rows, as the table's stream tells of them. */
import { rowPartOf, splitRowsPk } from '#shared/dynamodb/keys/tables.ts';
import type { StreamChange } from '#shared/dynamodb/streamChange.ts';
import { parseRow, type Row } from './rows.ts';

export interface RowChanged {
  id: number;
  part: number;
  sequenceNumber: string;
  atMs: number;
  /** Undefined of one that was created. */
  before: Row | undefined;
  /** Undefined of one that is gone. */
  after: Row | undefined;
}

/** What changed in one table, in the order of the stream. */
export interface TableChanged {
  botId: string;
  tableId: string;
  changes: RowChanged[];
}

export function byTable(changes: readonly StreamChange[]): TableChanged[] {
  const tables = new Map<string, TableChanged>();
  for (const change of changes) {
    const { botId, tableId } = splitRowsPk(change.pk);
    const name = `${botId}#${tableId}`;
    const table = tables.get(name) ?? { botId, tableId, changes: [] };
    table.changes.push(readRowChange(change));
    tables.set(name, table);
  }
  return [...tables.values()];
}

function readRowChange({ pk, sk, sequenceNumber, atMs, before, after }: StreamChange): RowChanged {
  const rowOf = (item: Record<string, unknown>) =>
    Object.keys(item).length > 0 ? parseRow({ ...item, pk, sk }) : undefined;
  const [was, is] = [rowOf(before), rowOf(after)];
  const id = (is ?? was)!.id;
  return { id, part: rowPartOf(id), sequenceNumber, atMs, before: was, after: is };
}
