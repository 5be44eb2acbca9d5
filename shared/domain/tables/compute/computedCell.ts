import { clock } from '#shared/core/clock.ts';
import { startOf } from '#shared/core/excerpt.ts';
import { checkRow } from '#shared/domain/tables/rows/checkRow.ts';
import { logRows } from '#shared/domain/tables/rows/logged.ts';
import { droppedColumns, sizeFault } from '#shared/domain/tables/rows/newRow.ts';
import { keyWrites } from '#shared/domain/tables/rows/updateRows.ts';
import { dependenciesOf, isComputed } from '#shared/domain/tables/schema/computedColumns.ts';
import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import { retryConflicts, type Write, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import type { Column } from '#shared/storage/dynamodb/tables/column.ts';
import type { Cell, Row } from '#shared/storage/dynamodb/tables/row.ts';
import { findRows } from '#shared/storage/dynamodb/tables/rowReads.ts';
import { changeRow, type RowChange } from '#shared/storage/dynamodb/tables/rowWrites.ts';
import { findTableToWrite, type Table } from '#shared/storage/dynamodb/tables/tables.ts';

type Values = Row['values'];

export interface ComputeContext {
  bot: Bot;
  table: Table;
}

export type CellOutcome = { value: unknown } | { error: string };

interface CheckedValue {
  text: string | null;
  error?: string;
}

export function checkOutcome(column: Column, outcome: CellOutcome): CheckedValue {
  if ('error' in outcome) return { text: null, error: outcome.error };
  const { set, errors } = checkRow([column], { [column.name]: outcome.value }, { isNew: false });
  return errors.length > 0 ? { text: null, error: errors.join(' ') } : { text: set[column.id] ?? null };
}

export interface ComputedCell extends CheckedValue {
  column: Column;
  by: string;
  /** Returns true if the result still applies. @param values the row's, including cells applied before this one */
  isStillNeeded(row: Row, values: Values, table: Table): boolean;
}

const ERROR_LENGTH = 1_000;

/**
 * Writes computed cells to their row. A cell whose inputs changed meanwhile stays pending.
 * @returns the row after the write; undefined if it was deleted
 */
export function writeCells(
  context: ComputeContext,
  rowId: number,
  cells: readonly ComputedCell[],
  known?: Row,
): Promise<Row | undefined> {
  const { bot, table } = context;
  let before = known;
  let current: ComputeContext | undefined = context;
  return retryConflicts(async () => {
    const row = before ?? (await findRows(bot.id, table.id, [rowId]))[0];
    // A changed table definition may have caused the conflicting write.
    if (!before) current = await reloadTable(context);
    before = undefined;
    if (!row || !current) return undefined;
    const nowMs = clock.now();
    const next = await withCells(current, row, cells, nowMs);
    if (!next) return row;
    await write([...next.writes, ...(await logRows(current, [rowId]))]);
    return next.row;
  });
}

async function reloadTable({ bot, table }: ComputeContext): Promise<ComputeContext | undefined> {
  const current = await findTableToWrite(bot.id, table.id);
  return current && { bot, table: current };
}

async function withCells(
  context: ComputeContext,
  row: Row,
  cells: readonly ComputedCell[],
  nowMs: number,
): Promise<{ row: Row; writes: Write[] } | undefined> {
  const { bot, table } = context;
  const applied = applyCells(table, row, cells, nowMs);
  if (!applied) return undefined;
  const { row: after, write: change } = changeRow(bot.id, table.id, row, applied);
  const key = await keyWrites({ bot, table, nowMs }, row, after);
  if (typeof key !== 'string') return { row: after, writes: [...key, change] };
  // Another row has the computed key: only this cell fails.
  const withoutKey = cells.map(cell =>
    cell.column.id === table.keyColumn ? { ...cell, text: null, error: key } : cell,
  );
  return withCells(context, row, withoutKey, nowMs);
}

function applyCells(table: Table, row: Row, computed: readonly ComputedCell[], nowMs: number) {
  const values = { ...row.values };
  const cells: Record<string, Cell> = { ...row.cells };
  const set: Record<string, string | null> = {};
  const open = new Set(pendingColumns(table, row).map(({ id }) => id));
  // A column that is no longer computed is not pending. Enabling it again refreshes all rows.
  for (const id of row.pending) if (!open.has(id)) delete cells[id];
  for (const cell of computed) {
    const { column, by } = cell;
    if (!open.has(column.id) || !isReady(table, column, open) || !cell.isStillNeeded(row, values, table)) continue;
    const { text, error } = checkSize(table, values, cell);
    // Clears the value of a failed cell, so an old value is not mistaken for the result.
    set[column.id] = text;
    if (text === null) delete values[column.id];
    else values[column.id] = text;
    cells[column.id] = {
      status: error === undefined ? 'completed' : 'failed',
      ...(error === undefined ? {} : { error: startOf(error, ERROR_LENGTH) }),
      updatedBy: by,
      updatedAtMs: nowMs,
    };
    open.delete(column.id);
  }
  if (open.size === row.pending.length) return undefined;
  const isSearchable = table.columns.some(
    ({ id, searchable }) => searchable && Object.hasOwn(set, id) && (set[id] ?? undefined) !== row.values[id],
  );
  return {
    set,
    cells,
    pending: [...open],
    isUnindexed: row.isUnindexed || isSearchable,
    dropped: droppedColumns(table, row),
    nowMs,
  };
}

function checkSize(table: Table, values: Values, { column, text, error }: ComputedCell): CheckedValue {
  if (text === null) return { text, ...(error === undefined ? {} : { error }) };
  const fault = sizeFault(table, { ...values, [column.id]: text });
  return fault === undefined ? { text } : { text: null, error: fault };
}

export const pendingColumns = (table: Table, { pending }: Row): Column[] =>
  table.columns.filter(column => pending.includes(column.id) && isComputed(table, column));

export const isReady = (table: Table, column: Column, open: ReadonlySet<string>): boolean =>
  !dependenciesOf(table, column).some(id => open.has(id));

/** Marks cells as pending. Keeps `updatedAt`, because the row's values do not change. */
export const pendingChange = (
  table: Table,
  row: Row,
  columns: readonly string[],
  isUnindexed = row.isUnindexed,
): RowChange => ({
  set: {},
  cells: { ...row.cells, ...Object.fromEntries(columns.map(id => [id, { status: 'pending' as const }])) },
  pending: [...new Set([...row.pending, ...columns])],
  isUnindexed,
  dropped: droppedColumns(table, row),
  nowMs: row.updatedAtMs,
});
