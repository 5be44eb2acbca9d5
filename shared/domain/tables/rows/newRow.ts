import { addDependents, dependenciesOf, isComputed } from '#shared/domain/tables/schema/computedColumns.ts';
import { rowBytes } from '#shared/domain/tables/schema/rowValues.ts';
import type { Cell, Row } from '#shared/storage/dynamodb/tables/row.ts';
import type { RowChange } from '#shared/storage/dynamodb/tables/rowWrites.ts';
import type { Table } from '#shared/storage/dynamodb/tables/tables.ts';

type ValueChanges = Record<string, string | null>;
const FACTOR_BYTES = 4096;

export function newRow(table: Table, set: ValueChanges, id: number, nowMs: number): Row {
  const values = Object.fromEntries(
    Object.entries(set).filter((entry): entry is [string, string] => entry[1] !== null),
  );
  return {
    id,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    version: 1,
    values,
    ...pendingWork(table, undefined, set, nowMs),
  };
}

export const rowChange = (table: Table, before: Row, set: ValueChanges, nowMs: number): RowChange => ({
  set,
  ...pendingWork(table, before, set, nowMs),
  dropped: droppedColumns(table, before),
  nowMs,
});

export function droppedColumns(table: Table, { values }: Row): string[] {
  const known = new Set(table.columns.map(({ id }) => id));
  return Object.keys(values).filter(id => !known.has(id));
}

export function sizeFault(table: Table, values: Record<string, string>): string | undefined {
  const [bytes, limit] = [rowBytes(values), FACTOR_BYTES * table.factor];
  return bytes > limit
    ? `The row has ${bytes} bytes; a row of this table can have at most ${limit} (4 KB times its factor of ${table.factor}).`
    : undefined;
}

function pendingWork(
  table: Table,
  before: Row | undefined,
  set: ValueChanges,
  nowMs: number,
): { cells: Record<string, Cell>; pending: string[]; isUnindexed: boolean } {
  const isChanged = (column: string) =>
    Object.hasOwn(set, column) && (before === undefined || (set[column] ?? undefined) !== before.values[column]);
  const cells: Record<string, Cell> = { ...before?.cells };
  const pending = new Set(before?.pending);
  const computed = table.columns.filter(column => isComputed(table, column));
  for (const { id } of computed) {
    if (!Object.hasOwn(set, id)) continue;
    // A caller's value overrides the computed one until a dependency changes.
    cells[id] = { status: 'completed', updatedBy: 'user', updatedAtMs: nowMs };
    pending.delete(id);
  }
  // Cells pending for another reason keep their state, for example their workflow.
  const open = computed.filter(({ id }) => !Object.hasOwn(set, id));
  const stale = new Set(
    open.filter(column => before === undefined || dependenciesOf(table, column).some(isChanged)).map(({ id }) => id),
  );
  addDependents(table, open, stale);
  for (const id of stale) {
    pending.add(id);
    cells[id] = { status: 'pending' };
  }
  const needsIndexing = table.columns.some(({ id, searchable }) => searchable && isChanged(id) && (before || set[id]));
  return { cells, pending: [...pending], isUnindexed: needsIndexing || (before?.isUnindexed ?? false) };
}
