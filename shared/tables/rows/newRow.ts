/** What becomes of a row's values that were given: the row as it is kept, with what waits to be computed or indexed. */

import type { Column } from '#shared/dynamodb/tables/column.ts';
import type { Cell, Row } from '#shared/dynamodb/tables/row.ts';
import type { RowChange } from '#shared/dynamodb/tables/rowWrites.ts';
import type { Table } from '#shared/dynamodb/tables/tables.ts';
import { rowBytes } from './values.ts';

type Changes = Record<string, string | null>;
const FACTOR_BYTES = 4096;

/** A row that is not there yet. */
export function newRow(table: Table, set: Changes, id: number, nowMs: number): Row {
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

/** A change of a row that is there. */
export const rowChange = (table: Table, before: Row, set: Changes, nowMs: number): RowChange => {
  const known = new Set(table.columns.map(({ id }) => id));
  return {
    set,
    ...pendingWork(table, before, set, nowMs),
    dropped: Object.keys(before.values).filter(id => !known.has(id)),
    nowMs,
  };
};

/** Why a row cannot be kept, if it is too large. */
export function sizeFault(table: Table, values: Record<string, string>): string | undefined {
  const [bytes, most] = [rowBytes(values), FACTOR_BYTES * table.factor];
  return bytes > most
    ? `The row has ${bytes} bytes; a row of this table has at most ${most} (4 KB times its factor of ${table.factor}).`
    : undefined;
}

/** Whether a column's values are computed, as the table is. */
export const isComputed = (table: Table, { computed }: Column): boolean =>
  table.isComputeEnabled && computed !== undefined && computed.enabled !== false;

/** The ids of the columns from which one is computed: those that it names, or all that are not computed themselves. */
export const dependenciesOf = ({ columns }: Table, { id, computed }: Column): string[] => {
  const names = computed?.dependencies;
  return columns
    .filter(other => (names ? names.includes(other.name) : other.computed === undefined && other.id !== id))
    .map(other => other.id);
};

/** @param set what changes, by the id of the column */
function pendingWork(
  table: Table,
  before: Row | undefined,
  set: Changes,
  nowMs: number,
): { cells: Record<string, Cell>; pending: string[]; isUnindexed: boolean } {
  const changed = (column: string) =>
    Object.hasOwn(set, column) && (before === undefined || (set[column] ?? undefined) !== before.values[column]);
  const cells: Record<string, Cell> = { ...before?.cells };
  const pending = new Set(before?.pending);
  const computed = table.columns.filter(column => isComputed(table, column));
  for (const { id } of computed) {
    if (!Object.hasOwn(set, id)) continue;
    // Somebody knows better: until what it is computed from changes, that is its value.
    cells[id] = { status: 'completed', updatedBy: 'user', updatedAtMs: nowMs };
    pending.delete(id);
  }
  const open = computed.filter(({ id }) => !Object.hasOwn(set, id));
  // What follows from a value that follows from another comes to wait with it. What waits for something else goes on as
  // it is: its workflow, say.
  const anew = new Set<string>();
  for (let isMore = true; isMore; ) {
    isMore = false;
    for (const column of open) {
      const waits = before === undefined || dependenciesOf(table, column).some(id => changed(id) || anew.has(id));
      if (!waits || anew.has(column.id)) continue;
      anew.add(column.id);
      isMore = true;
    }
  }
  for (const id of anew) {
    pending.add(id);
    cells[id] = { status: 'pending' };
  }
  const isSearchable = table.columns.some(({ id, searchable }) => searchable && changed(id) && (before || set[id]));
  return { cells, pending: [...pending], isUnindexed: isSearchable || (before?.isUnindexed ?? false) };
}
