/**
 * Cells that a workflow of the bot computes. The workflow begins in one transaction with the cell's note of it, so there is
 * one for each time that the cell came to wait; and the workflow knows its cell, so that its end finds it.
 */

import type { WorkflowValues } from '#shared/botChat/views/workflow.ts';
import { makeWorkflow } from '#shared/botChat/workflows.ts';
import type { Workflow } from '#shared/dynamodb/chat/workflows.ts';
import type { Column } from '#shared/dynamodb/tables/column.ts';
import { changeRow } from '#shared/dynamodb/tables/rowWrites.ts';
import { findRows } from '#shared/dynamodb/tables/rowReads.ts';
import { type Row } from '#shared/dynamodb/tables/row.ts';
import type { Table } from '#shared/dynamodb/tables/tables.ts';
import { retryConflicts, write } from '#shared/dynamodb/transaction.ts';
import { BOT_SCOPE } from '#shared/messaging/callerScope.ts';
import { loadValue } from '#shared/s3/largeValue.ts';
import { viewRow } from '#shared/tables/view.ts';
import {
  type CellOutcome,
  type ComputeContext,
  checkOutcome,
  isReady,
  pendingColumns,
  writeCells,
} from './computedCell.ts';


/** Starts a workflow for a cell that waits for one, unless there is one already. @throws ApiError */
export async function startWorkflow({ bot, table }: ComputeContext, rowId: number, column: Column): Promise<void> {
  await retryConflicts(async () => {
    const [row] = await findRows(bot.id, table.id, [rowId]);
    if (!row || !canStartWorkflow(table, row, column)) return;
    const nowMs = Date.now();
    const input = {
      tableId: table.id,
      tableName: table.name,
      rowId,
      column: column.name,
      row: viewRow(table, row),
    };
    const workflow = await makeWorkflow(
      { ...BOT_SCOPE, bot, botId: bot.id, nowMs },
      { name: column.computed!.workflowId!, input, status: 'pending' },
      formatCellRef({ tableId: table.id, rowId, columnId: column.id }),
    );
    const cells = { ...row.cells, [column.id]: { status: 'pending' as const, workflow: workflow.id } };
    const change = { set: {}, cells, pending: row.pending, isUnindexed: row.isUnindexed, dropped: [], nowMs };
    await write([changeRow(bot.id, table.id, row, change).write, ...workflow.writes]);
  });
}

/** Whether a cell waits for a workflow that has not begun. */
export function canStartWorkflow(table: Table, row: Row, column: Column): boolean {
  const waiting = new Set(pendingColumns(table, row).map(({ id }) => id));
  const hasBegun = row.cells[column.id]?.workflow !== undefined;
  return waiting.has(column.id) && !hasBegun && isReady(table, column, waiting);
}

interface CellRef {
  tableId: string;
  rowId: number;
  columnId: string;
}
const formatCellRef = ({ tableId, rowId, columnId }: CellRef) => `${tableId}#${rowId}#${columnId}`;
export function parseCellRef(cell: string): CellRef {
  const [tableId, rowId, columnId] = cell.split('#') as [string, string, string];
  return { tableId, rowId: Number(rowId), columnId };
}

/** Gives a cell what its workflow made of it, if it still waits for this one. */
export async function writeWorkflowResult(context: ComputeContext, workflow: Workflow, isGone: boolean): Promise<void> {
  const { rowId, columnId } = parseCellRef(workflow.cell!);
  const column = context.table.columns.find(({ id, computed }) => id === columnId && computed?.action === 'workflow');
  if (!column) return;
  const outcome: CellOutcome = isGone
    ? { error: 'The workflow was deleted before it came to an end.' }
    : await outcomeOf(workflow);
  const by = `workflow:${workflow.id}`;
  const isWanted = (row: Row) => row.cells[columnId]?.workflow === workflow.id;
  await writeCells(context, rowId, [{ column, ...checkOutcome(column, outcome), by, isStillNeeded }]);
}

const REASONS: Partial<Record<Workflow['status'], string>> = {
  failed: 'The workflow failed.',
  timedout: 'The workflow timed out.',
  cancelled: 'The workflow was cancelled.',
};

async function outcomeOf(workflow: Workflow): Promise<CellOutcome> {
  const reason = REASONS[workflow.status];
  if (reason !== undefined) return { error: workflow.failureReason || reason };
  const { output } = (await loadValue(workflow)) as WorkflowValues;
  return { value: Object.hasOwn(output, 'value') ? output.value : output };
}
