/** Computing what a row waits for: by code, by a language model, by workflows of the bot; each from what it depends on. */

import { isDeepStrictEqual } from 'node:util';
import { iso } from '#shared/api/views.ts';
import { mapConcurrently } from '#shared/concurrency.ts';
import type { Column } from '#shared/dynamodb/tables/column.ts';
import { changeRow } from '#shared/dynamodb/tables/rowWrites.ts';
import { findRows } from '#shared/dynamodb/tables/rowReads.ts';
import { type Row } from '#shared/dynamodb/tables/row.ts';
import { findTable, type Table } from '#shared/dynamodb/tables/tables.ts';
import { retryConflicts, write } from '#shared/dynamodb/transaction.ts';
import { errorFields, log } from '#shared/log.ts';
import { dependenciesOf, isComputed } from '#shared/tables/rows/newRow.ts';
import { decodeRow } from '#shared/tables/rows/values.ts';
import { askModel } from './askModel.ts';
import {
  type CellOutcome,
  type ComputedCell,
  type ComputeContext,
  checkOutcome,
  isReady,
  pendingColumns,
  writeCells,
} from './computedCell.ts';
import { runCode } from './sandbox.ts';
import { canStartWorkflow, startWorkflow } from './startWorkflow.ts';

/**
 * Computes all that a row waits for, as far as it can be now. Doing so twice does no harm.
 * @param row as it was just read, before the table was
 * @param isLast what fails for no fault of the table is not tried again: its cell is said to have failed
 * @throws Throttled, or whatever a service or the sandbox failed with, when what could be computed is written
 */
export async function computeRow(context: ComputeContext, row: Row, isLast: boolean): Promise<void> {
  const { table } = context;
  const { cells, fault } = await computeCells(table, row, isLast);
  const after = await writeCells(context, row.id, cells, row);
  const toStart = after ? pendingColumns(table, after).filter(column => isWorkflow(column)) : [];
  for (const column of toStart) {
    if (canStartWorkflow(table, after!, column)) await startColumn(context, row.id, column, isLast);
  }
  if (fault !== undefined) throw fault;
}

/**
 * Whoever changes how a column is computed has the rows computed again that do not wait for it already. So what was computed
 * of these meanwhile, in the way it was, is computed again from here.
 * @param table as it was when they were computed
 */
export async function recomputeChangedColumns(table: Table, botId: string, rows: readonly Row[]): Promise<void> {
  const now = await findTable(botId, table.id);
  if (!now || now.version === table.version) return;
  const changed = new Set(
    now.columns.filter(column => isComputed(now, column) && !hasSameColumn(table, column)).map(({ id }) => id),
  );
  await mapConcurrently(rows, ROWS_AT_ONCE, async ({ id, pending }) => {
    const columns = pending.filter(each => changed.has(each));
    if (columns.length > 0) await markPending(botId, now, id, columns);
  });
}

const markPending = (botId: string, table: Table, rowId: number, columns: readonly string[]): Promise<void> =>
  retryConflicts(async () => {
    const [row] = await findRows(botId, table.id, [rowId]);
    if (!row || columns.every(id => row.pending.includes(id))) return;
    const cells = Object.fromEntries(columns.map(id => [id, { status: 'pending' as const }]));
    const { write: part } = changeRow(botId, table.id, row, {
      set: {},
      cells: { ...row.cells, ...cells },
      pending: [...new Set([...row.pending, ...columns])],
      isUnindexed: row.isUnindexed,
      dropped: [],
      nowMs: row.updatedAtMs,
    });
    await write([part]);
  });

async function startColumn(context: ComputeContext, rowId: number, column: Column, isLast: boolean): Promise<void> {
  try {
    await startWorkflow(context, rowId, column);
  } catch (error) {
    if (!isLast) throw error;
    log.error('A workflow could not be started.', { tableId: context.table.id, rowId, error: errorFields(error) });
    const isWanted = ({ cells }: Row) => cells[column.id]?.workflow === undefined;
    await writeCells(context, rowId, [{ column, text: null, error: SERVICE_FAILURE, by: 'parley', isStillNeeded }]);
  }
}

const isWorkflow = ({ computed }: Column) => computed?.action === 'workflow';

const ROWS_AT_ONCE = 8;
const SERVICE_FAILURE = 'What computes this did not work for a while. Change what it is computed from to have it computed again.';

/** Computes one column after the other, those first from which others are computed; until a service fails. */
async function computeCells(
  table: Table,
  row: Row,
  isLast: boolean,
): Promise<{ cells: ComputedCell[]; fault?: unknown }> {
  const cells: ComputedCell[] = [];
  const current: Row = { ...row, values: { ...row.values }, cells: { ...row.cells } };
  const waiting = pendingColumns(table, row);
  const open = new Set(waiting.map(({ id }) => id));
  const next = () => waiting.find(column => open.has(column.id) && !isWorkflow(column) && isReady(table, column, open));
  for (let column = next(); column; column = next()) {
    let end: { outcome: CellOutcome; by: string };
    try {
      end = await computeCell(table, column, current);
    } catch (error) {
      if (!isLast) return { cells, fault: error };
      log.error('A cell could not be computed.', { tableId: table.id, rowId: row.id, error: errorFields(error) });
      end = { outcome: { error: SERVICE_FAILURE }, by: 'parley' };
    }
    open.delete(column.id);
    const cell = { column, by: end.by, ...checkOutcome(column, end.outcome), isWanted: hasSameInputs(table, column, current) };
    cells.push(cell);
    current.cells[column.id] = { status: cell.error === undefined ? 'completed' : 'failed' };
    if (cell.text === null) delete current.values[column.id];
    else current.values[column.id] = cell.text;
  }
  return { cells };
}

/** Whether a column is computed in the same way from the same as in a row that was seen. */
function hasSameInputs(seen: Table, column: Column, { values }: Row): ComputedCell['isStillNeeded'] {
  const used = dependenciesOf(seen, column).map(id => [id, values[id]] as const);
  return (_, now, table) => used.every(([id, value]) => now[id] === value) && hasSameColumn(table, column);
}

/** Whether a table has a column that is filled in the same way. */
const hasSameColumn = ({ columns }: Table, column: Column) =>
  isDeepStrictEqual(
    columns.find(({ id }) => id === column.id),
    column,
  );

/** @throws Throttled, or whatever else is no fault of the column */
async function computeCell(table: Table, column: Column, row: Row): Promise<{ outcome: CellOutcome; by: string }> {
  const { action, code = '' } = column.computed!;
  const dependencies = dependenciesOf(table, column);
  const failed = table.columns.find(({ id }) => dependencies.includes(id) && row.cells[id]?.status === 'failed');
  if (failed) {
    return { outcome: { error: `It is computed from "${failed.name}", which could not be computed.` }, by: action };
  }
  if (action === 'ai') {
    return askModel(
      column,
      decodeRow(
        table.columns.filter(({ id }) => dependencies.includes(id)),
        row.values,
      ),
    );
  }
  const system = { id: row.id, createdAt: iso(row.createdAtMs), updatedAt: iso(row.updatedAtMs) };
  return { outcome: await runCode(code, { ...decodeRow(table.columns, row.values), ...system }), by: 'code' };
}
