import type { Answer } from '#shared/api/operation.ts';
import { retryConflicts, type Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { conflictNote, insertRows, uniqueColumns, uniqueInserts } from './insertRows.ts';
import { logRows } from './logged.ts';
import { assignIds, assignIdsOnce, buildRows, splitExisting } from './numberedRows.ts';
import {
  type CheckedRow,
  checkInput,
  emptyOutcome,
  type RowInput,
  type RowsOutcome,
  type TableContext,
} from './outcome.ts';

/** Rows written in the transaction of the call's response: atomic with its idempotency record, at twice the price. */
const ATOMIC_ROWS = 10;

export async function createRows<T>(
  context: TableContext,
  inputs: readonly RowInput[],
  finish: (outcome: RowsOutcome, writes: Write[]) => Promise<Answer<T>>,
): Promise<Answer<T>> {
  const outcome = emptyOutcome();
  const checked = inputs.flatMap((input, index) => checkInput(context.table, { index, input, isNew: true }, outcome));
  if (checked.length > ATOMIC_ROWS) {
    await insertChecked(context, checked, outcome);
    return finish(outcome, []);
  }
  const { rows, reserved } = await assignIds(context, buildRows(context, checked, outcome));
  return retryConflicts(async () => {
    const { writes, accepted, conflicts } = await uniqueInserts(context, uniqueColumns(context.table), rows);
    const errors = [...outcome.errors, ...conflicts.map(conflictNote)];
    const ids = accepted.map(({ id }) => id);
    return finish({ ...outcome, rows: accepted, errors }, [...writes, ...(await logRows(context, ids, reserved))]);
  });
}

export async function insertChecked(context: TableContext, checked: readonly CheckedRow[], outcome: RowsOutcome) {
  const { rows, mayExist, reserved } = await assignIdsOnce(context, buildRows(context, checked, outcome));
  const { existing, missing } = await splitExisting(context, rows, mayExist);
  outcome.rows.push(...existing);
  await insertRows(context, missing, outcome, reserved);
}
