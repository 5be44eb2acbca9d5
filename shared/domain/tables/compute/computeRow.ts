import { isDeepStrictEqual } from 'node:util';
import { iso } from '#shared/api/views.ts';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { logRows } from '#shared/domain/tables/rows/logged.ts';
import { dependenciesOf, isComputed } from '#shared/domain/tables/schema/computedColumns.ts';
import { decodeRow } from '#shared/domain/tables/schema/rowValues.ts';
import { retryConflicts, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import type { Column } from '#shared/storage/dynamodb/tables/column.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import { findRows } from '#shared/storage/dynamodb/tables/rowReads.ts';
import { changeRow } from '#shared/storage/dynamodb/tables/rowWrites.ts';
import { findTableToWrite, type Table } from '#shared/storage/dynamodb/tables/tables.ts';
import {
  type CellOutcome,
  type ComputeContext,
  type ComputedCell,
  checkOutcome,
  isReady,
  pendingChange,
  pendingColumns,
  writeCells,
} from './computedCell.ts';
import { promptModel } from './promptModel.ts';
import { runCode } from './sandbox.ts';
import { canStartWorkflow, startWorkflow } from './startWorkflow.ts';

/**
 * Computes a row's pending cells in dependency order. Starts workflows for cells that workflows compute. Idempotent.
 * @param isLast marks the cell as failed if an external service fails
 * @throws the service's error, after the computed values are written
 */
export async function computeRow(context: ComputeContext, row: Row, isLast: boolean): Promise<void> {
  const { table } = context;
  const { cells, fault } = await computeCells(context, row, isLast);
  const after = await writeCells(context, row.id, cells, row);
  const toStart = after ? pendingColumns(table, after).filter(column => isWorkflow(column)) : [];
  for (const column of toStart) {
    if (canStartWorkflow(table, after!, column)) await startColumn(context, row.id, column, isLast);
  }
  if (fault !== undefined) throw fault;
}

/**
 * Marks cells as pending if their column changed while they were computed. A refresh job covers only the rows that are
 * not pending when the column changes.
 */
export async function recomputeChangedColumns(table: Table, botId: string, rows: readonly Row[]): Promise<void> {
  const current = await findTableToWrite(botId, table.id);
  if (!current || current.version === table.version) return;
  const changed = new Set(
    current.columns.filter(column => isComputed(current, column) && !hasSameColumn(table, column)).map(({ id }) => id),
  );
  await mapConcurrently(rows, CONCURRENT_ROWS, async ({ id, pending }) => {
    const columns = pending.filter(each => changed.has(each));
    if (columns.length > 0) await markPending(botId, current, id, columns);
  });
}

const markPending = (botId: string, table: Table, rowId: number, columns: readonly string[]): Promise<void> =>
  retryConflicts(async () => {
    const [row] = await findRows(botId, table.id, [rowId]);
    if (!row || columns.every(id => row.pending.includes(id))) return;
    const entry = await logRows({ bot: { id: botId }, table }, [rowId]);
    await write([changeRow(botId, table.id, row, pendingChange(table, row, columns)).write, ...entry]);
  });

async function startColumn(context: ComputeContext, rowId: number, column: Column, isLast: boolean): Promise<void> {
  try {
    await startWorkflow(context, rowId, column);
  } catch (error) {
    if (!isLast) throw error;
    log.error('Failed to start a workflow.', { tableId: context.table.id, rowId, error: errorFields(error) });
    const isStillNeeded = ({ cells }: Row) => cells[column.id]?.workflow === undefined;
    await writeCells(context, rowId, [{ column, text: null, error: SERVICE_FAILURE, by: 'parley', isStillNeeded }]);
  }
}

const isWorkflow = ({ computed }: Column) => computed?.action === 'workflow';

const CONCURRENT_ROWS = 8;
const SERVICE_FAILURE =
  'The service that computes this value was unavailable. Change a value it is computed from to compute it again.';

async function computeCells(
  { bot, table }: ComputeContext,
  row: Row,
  isLast: boolean,
): Promise<{ cells: ComputedCell[]; fault?: unknown }> {
  const cells: ComputedCell[] = [];
  const current: Row = { ...row, values: { ...row.values }, cells: { ...row.cells } };
  const columns = pendingColumns(table, row);
  const open = new Set(columns.map(({ id }) => id));
  const next = () => columns.find(column => open.has(column.id) && !isWorkflow(column) && isReady(table, column, open));
  for (let column = next(); column; column = next()) {
    let result: { outcome: CellOutcome; by: string };
    try {
      result = await computeCell({ bot, table }, column, current);
    } catch (error) {
      if (!isLast) return { cells, fault: error };
      log.error('Failed to compute a cell.', { tableId: table.id, rowId: row.id, error: errorFields(error) });
      result = { outcome: { error: SERVICE_FAILURE }, by: 'parley' };
    }
    open.delete(column.id);
    const cell = {
      column,
      by: result.by,
      ...checkOutcome(column, result.outcome),
      isStillNeeded: hasSameInputs(table, column, current),
    };
    cells.push(cell);
    current.cells[column.id] = { status: cell.error === undefined ? 'completed' : 'failed' };
    if (cell.text === null) delete current.values[column.id];
    else current.values[column.id] = cell.text;
  }
  return { cells };
}

function hasSameInputs(seen: Table, column: Column, { values }: Row): ComputedCell['isStillNeeded'] {
  const inputs = dependenciesOf(seen, column).map(id => [id, values[id]] as const);
  return (_, current, table) => inputs.every(([id, value]) => current[id] === value) && hasSameColumn(table, column);
}

const hasSameColumn = ({ columns }: Table, column: Column) =>
  isDeepStrictEqual(
    columns.find(({ id }) => id === column.id),
    column,
  );

/** @throws ThrottledError, or another error that the column's owner cannot fix */
async function computeCell(
  { bot, table }: ComputeContext,
  column: Column,
  row: Row,
): Promise<{ outcome: CellOutcome; by: string }> {
  const { action, code = '' } = column.computed!;
  const dependencies = dependenciesOf(table, column);
  const failed = table.columns.find(({ id }) => dependencies.includes(id) && row.cells[id]?.status === 'failed');
  if (failed) {
    return { outcome: { error: `It depends on "${failed.name}", which could not be computed.` }, by: action };
  }
  if (action === 'ai') {
    return promptModel(
      column,
      decodeRow(
        table.columns.filter(({ id }) => dependencies.includes(id)),
        row.values,
      ),
      { workspaceId: bot.workspaceId, botId: bot.id },
    );
  }
  const system = { id: row.id, createdAt: iso(row.createdAtMs), updatedAt: iso(row.updatedAtMs) };
  const values = { ...decodeRow(table.columns, row.values), ...system };
  return {
    outcome: await runCode(code, values, { tenant: bot.id, column: [bot.id, table.id, column.id, code] }),
    by: 'code',
  };
}
