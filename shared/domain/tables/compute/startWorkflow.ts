/**
 * Cells computed by workflows. A workflow is created in the transaction that stores its id in the cell, so each pending
 * cell gets exactly one. The workflow references its cell.
 */

import { clock } from '#shared/core/clock.ts';
import { createWorkflow } from '#shared/domain/messaging/workflows/workflowCreation.ts';
import { logRows } from '#shared/domain/tables/rows/logged.ts';
import { viewRow } from '#shared/domain/tables/rows/rowView.ts';
import { loadWorkflowValues, type Workflow } from '#shared/storage/dynamodb/chat/workflows.ts';
import { retryConflicts, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import type { Column } from '#shared/storage/dynamodb/tables/column.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import { findRows } from '#shared/storage/dynamodb/tables/rowReads.ts';
import { changeRow } from '#shared/storage/dynamodb/tables/rowWrites.ts';
import type { Table } from '#shared/storage/dynamodb/tables/tables.ts';
import {
  type CellOutcome,
  type ComputeContext,
  checkOutcome,
  isReady,
  pendingColumns,
  writeCells,
} from './computedCell.ts';

export async function startWorkflow({ bot, table }: ComputeContext, rowId: number, column: Column): Promise<void> {
  await retryConflicts(async () => {
    const [row] = await findRows(bot.id, table.id, [rowId]);
    if (!row || !canStartWorkflow(table, row, column)) return;
    const nowMs = clock.now();
    const input = {
      tableId: table.id,
      tableName: table.name,
      rowId,
      column: column.name,
      row: viewRow(table, row),
    };
    const workflow = await createWorkflow(
      { botId: bot.id, nowMs },
      { name: column.computed!.workflowId!, input, status: 'pending' },
      formatCellRef({ tableId: table.id, rowId, columnId: column.id }),
    );
    const cells = { ...row.cells, [column.id]: { status: 'pending' as const, workflow: workflow.record.view.id } };
    const change = { set: {}, cells, pending: row.pending, isUnindexed: row.isUnindexed, dropped: [], nowMs };
    const entry = await logRows({ bot, table }, [rowId]);
    await write([changeRow(bot.id, table.id, row, change).write, ...workflow.writes, ...entry]);
  });
}

export function canStartWorkflow(table: Table, row: Row, column: Column): boolean {
  const open = new Set(pendingColumns(table, row).map(({ id }) => id));
  const hasWorkflow = row.cells[column.id]?.workflow !== undefined;
  return open.has(column.id) && !hasWorkflow && isReady(table, column, open);
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

/** Writes the result of a workflow unless its cell no longer expects it. */
export async function writeWorkflowResult(context: ComputeContext, workflow: Workflow, isGone: boolean): Promise<void> {
  const { rowId, columnId } = parseCellRef(workflow.cell!);
  const column = context.table.columns.find(({ id, computed }) => id === columnId && computed?.action === 'workflow');
  if (!column) return;
  const outcome: CellOutcome = isGone
    ? { error: 'The workflow was deleted before it finished.' }
    : await outcomeOf(workflow);
  const by = `workflow:${workflow.id}`;
  const isStillNeeded = (row: Row) => row.cells[columnId]?.workflow === workflow.id;
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
  const { output } = await loadWorkflowValues(workflow);
  return { value: Object.hasOwn(output, 'value') ? output.value : output };
}
