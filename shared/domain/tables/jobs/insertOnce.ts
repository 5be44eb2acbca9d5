import { insertRows } from '#shared/domain/tables/rows/insertRows.ts';
import { type NumberedRow, splitExisting } from '#shared/domain/tables/rows/numberedRows.ts';
import { emptyOutcome, type RowsOutcome, type TableContext } from '#shared/domain/tables/rows/outcome.ts';

export async function insertOnce(
  context: TableContext,
  rows: readonly NumberedRow[],
  mayExist: boolean,
): Promise<RowsOutcome> {
  const outcome = emptyOutcome();
  const { missing } = await splitExisting(context, rows, mayExist);
  await insertRows(context, missing, outcome);
  return outcome;
}
