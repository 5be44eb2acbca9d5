/** What came of computing cells, and how it gets into their row. */

import type { Column } from '#shared/dynamodb/tables/column.ts';
import { type Cell, changeRow, findRows, type Row } from '#shared/dynamodb/tables/rows.ts';
import { findTable, type Table } from '#shared/dynamodb/tables/tables.ts';
import { retryConflicts, type Write, write } from '#shared/dynamodb/transaction.ts';
import type { Bot } from '#shared/dynamodb/workspace/bots.ts';
import { keyWrites } from '#shared/tables/changeRows.ts';
import { dependenciesOf, faultOfSize, isComputed } from '#shared/tables/newRow.ts';
import { checkRow } from '#shared/tables/rowValues.ts';

type Values = Row['values'];

/** Whose rows are computed. */
export interface ComputeHome {
  bot: Bot;
  table: Table;
}

/** A value as JSON has it, or why there is none, for the owner of the table to read. */
export type CellOutcome = { value: unknown } | { error: string };

/** A value as the row keeps it; null when there is none, as after an error. */
interface CheckedValue {
  text: string | null;
  error?: string;
}

/** What came of it, as the column has it. */
export function checkOutcome(column: Column, outcome: CellOutcome): CheckedValue {
  if ('error' in outcome) return { text: null, error: outcome.error };
  const { set, errors } = checkRow([column], { [column.name]: outcome.value }, { isNew: false });
  return errors.length > 0 ? { text: null, error: errors.join(' ') } : { text: set[column.id] ?? null };
}

export interface ComputedCell extends CheckedValue {
  column: Column;
  /** Who computed it. */
  by: string;
  /** Whether the row still waits for it. @param values the row's, with those that were computed before this one */
  isWanted(row: Row, values: Values, table: Table): boolean;
}

const CONFLICT_ATTEMPTS = 15;
const ERROR_LENGTH = 1_000;

/**
 * Writes what was computed of a row, as far as the row still waits for it; what changed meanwhile stays to be computed again.
 * @param cells in the order in which they were computed
 * @param known the row as it was just read
 * @returns the row as it is then; undefined when it is gone
 */
export function writeCells(
  home: ComputeHome,
  rowId: number,
  cells: readonly ComputedCell[],
  known?: Row,
): Promise<Row | undefined> {
  const { bot, table } = home;
  let before = known;
  let now: ComputeHome | undefined = home;
  return retryConflicts(CONFLICT_ATTEMPTS, async () => {
    const row = before ?? (await findRows(bot.id, table.id, [rowId]))[0];
    // Who was in the way may have been one who has rows computed in another way from now on.
    if (!before) now = await homeNow(home);
    before = undefined;
    if (!row || !now) return undefined;
    const nowMs = Date.now();
    const next = await nextOf(now, row, cells, nowMs);
    if (!next) return row;
    await write(next.writes);
    return next.row;
  });
}

async function homeNow({ bot, table }: ComputeHome): Promise<ComputeHome | undefined> {
  const now = await findTable(bot.id, table.id);
  return now && { bot, table: now };
}

/** The row with its cells; undefined where nothing changes. */
async function nextOf(
  home: ComputeHome,
  row: Row,
  cells: readonly ComputedCell[],
  nowMs: number,
): Promise<{ row: Row; writes: Write[] } | undefined> {
  const { bot, table } = home;
  const applyChanges = applyCells(table, row, cells, nowMs);
  if (!applyChanges) return undefined;
  const { row: after, write: change } = changeRow(bot.id, table.id, row, applyChanges);
  const key = await keyWrites({ bot, table, nowMs }, row, after);
  if (typeof key !== 'string') return { row: after, writes: [...key, change] };
  // Another row has the value that was computed as this one's key.
  const others = cells.map(cell => (cell.column.id === table.keyColumn ? { ...cell, text: null, error: key } : cell));
  return nextOf(home, row, others, nowMs);
}

function applyCells(table: Table, row: Row, computed: readonly ComputedCell[], nowMs: number) {
  const values = { ...row.values };
  const cells: Record<string, Cell> = { ...row.cells };
  const set: Record<string, string | null> = {};
  const open = new Set(waitingColumns(table, row).map(({ id }) => id));
  // What is computed no more is waited for in vain; should it be again, all rows come to wait for it.
  for (const id of row.pending) if (!open.has(id)) delete cells[id];
  for (const cell of computed) {
    const { column, by } = cell;
    if (!open.has(column.id) || !isReady(table, column, open) || !cell.isWanted(row, values, table)) continue;
    const { text, error } = fitting(table, values, cell);
    // A failed cell has no value: nobody is to take an old one for a new one.
    set[column.id] = text;
    if (text === null) delete values[column.id];
    else values[column.id] = text;
    cells[column.id] = {
      status: error === undefined ? 'completed' : 'failed',
      ...(error === undefined ? {} : { error: error.slice(0, ERROR_LENGTH).toWellFormed() }),
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
    dropped: Object.keys(row.values).filter(id => !table.columns.some(column => column.id === id)),
    nowMs,
  };
}

/** The value, if it still fits into the row. */
function fitting(table: Table, values: Values, { column, text, error }: ComputedCell): CheckedValue {
  if (text === null) return { text, ...(error === undefined ? {} : { error }) };
  const fault = faultOfSize(table, { ...values, [column.id]: text });
  return fault === undefined ? { text } : { text: null, error: fault };
}

/** The columns that a row waits for, and that are to be computed. */
export const waitingColumns = (table: Table, { pending }: Row): Column[] =>
  table.columns.filter(column => pending.includes(column.id) && isComputed(table, column));

/** Whether all that a column is computed from is there. @param open what the row waits for */
export const isReady = (table: Table, column: Column, open: ReadonlySet<string>): boolean =>
  !dependenciesOf(table, column).some(id => open.has(id));
