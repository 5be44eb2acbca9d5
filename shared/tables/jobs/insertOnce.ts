/** Writing rows that have their ids, where a run before may have written some of them. */
import { insertRows, type NumberedRow, splitByPresence } from '#shared/tables/rows/createRows.ts';
import { emptyOutcome, type RowsOutcome, type TableContext } from '#shared/tables/rows/outcome.ts';

/** @returns what became of the rows that were missing */
export async function insertOnce(
  context: TableContext,
  rows: readonly NumberedRow[],
  mayBeThere: boolean,
): Promise<RowsOutcome> {
  const outcome = emptyOutcome();
  const { missing } = await splitByPresence(context, rows, mayBeThere);
  await insertRows(context, missing, outcome);
  return outcome;
}
