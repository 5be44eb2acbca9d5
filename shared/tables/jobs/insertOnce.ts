/** Writing rows that have their ids, where a run before may have written some of them. */
import { findRows } from '../../table/rows.ts';
import { insertRows, type Numbered, noOutcome, type Outcome, type TableHome } from '../writeRows.ts';

/** Rows that are there are left as they are: somebody may have changed them meanwhile. */
export async function insertOnce(home: TableHome, rows: readonly Numbered[], mayBeThere: boolean): Promise<Outcome> {
  const outcome = noOutcome();
  const ids = rows.map(({ row }) => row.id);
  const there = mayBeThere ? await findRows(home.bot.id, home.table.id, ids) : [];
  const missing = rows.filter((_, i) => !there[i]);
  await insertRows(home, missing, outcome);
  return outcome;
}

/** What an outcome says of each row: which of them it is, and what. */
export function errorsByRow({ errors }: Pick<Outcome, 'errors'>): { index: number; text: string }[] {
  return errors.map(error => {
    const [, index = '0', text = error] = /^rows\[(\d+)\]: (.*)$/s.exec(error) ?? [];
    return { index: Number(index), text };
  });
}
