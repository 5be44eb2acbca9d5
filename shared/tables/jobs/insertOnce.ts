/** Writing rows that have their ids, where a run before may have written some of them. */
import { insertRows, type Numbered, splitByPresence } from '#shared/tables/rows/createRows.ts';
import { noOutcome, type RowsOutcome, type TableHome } from '#shared/tables/rows/outcome.ts';

/** @returns what became of the rows that were missing */
export async function insertOnce(
  home: TableHome,
  rows: readonly Numbered[],
  mayBeThere: boolean,
): Promise<RowsOutcome> {
  const outcome = noOutcome();
  const { missing } = await splitByPresence(home, rows, mayBeThere);
  await insertRows(home, missing, outcome);
  return outcome;
}
