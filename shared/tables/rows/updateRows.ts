/** Changing rows, each by itself. What another caller's write was in the way of is computed again. */
import { mapConcurrently } from '#shared/concurrency.ts';
import { changeRow } from '#shared/dynamodb/tables/rowWrites.ts';
import { findRows } from '#shared/dynamodb/tables/rowReads.ts';
import { type Row } from '#shared/dynamodb/tables/row.ts';
import { keyColumnOf } from '#shared/dynamodb/tables/tables.ts';
import { retryConflicts, type Write, write } from '#shared/dynamodb/transaction.ts';
import { findHolders, claimKey, keyTakenText } from './keyHolders.ts';
import { sizeFault, rowChange } from './newRow.ts';
import { type CheckedRow, checkInput, emptyOutcome, type RowInput, type RowsOutcome, type TableContext } from './outcome.ts';

const AT_ONCE = 16;

/** Changes rows by their ids. */
export async function updateRows(
  context: TableContext,
  inputs: readonly (RowInput & { id: number })[],
): Promise<RowsOutcome> {
  const outcome = emptyOutcome();
  const rows = await findRows(
    context.bot.id,
    context.table.id,
    inputs.map(({ id }) => id),
  );
  const updates = inputs.flatMap((input, index) => {
    const row = rows[index];
    if (!row) outcome.errors.push({ index, text: notFoundText(input.id) });
    return row ? checkUpdate(context, { index, input, row }, outcome) : [];
  });
  await applyUpdates(context, updates, outcome);
  return outcome;
}

/** What is to become of a row that is there. */
export interface Update extends CheckedRow {
  /** As it was just read. */
  row: Row;
}

/** Checks what is given for a row; what is wrong with it is told, and it is left out. */
export const checkUpdate = (
  { table }: TableContext,
  { row, ...given }: { index: number; input: RowInput; row: Row },
  outcome: RowsOutcome,
): Update[] => checkInput(table, { ...given, isNew: false }, outcome).map(checked => ({ ...checked, row }));

/** One after the other where a row is named twice, so that the last word counts. */
export async function applyUpdates(context: TableContext, updates: readonly Update[], outcome: RowsOutcome): Promise<void> {
  const groups = new Map<number, Update[]>();
  for (const update of updates) groups.set(update.row.id, [...(groups.get(update.row.id) ?? []), update]);
  const ends = await mapConcurrently([...groups.values()], AT_ONCE, async group => {
    let end: Row | undefined;
    for (const { index, set, row } of group) {
      const result = await updateRow(context, set, end ?? row);
      if (typeof result === 'string') outcome.errors.push({ index, text: result });
      else end = result;
    }
    return end ? [end] : [];
  });
  outcome.rows.push(...ends.flat());
}

export const notFoundText = (id: number) => `The row ${id} was not found.`;

/** @param known the row as it was just read @returns the row, or what is wrong */
async function updateRow(context: TableContext, set: Record<string, string | null>, known: Row): Promise<Row | string> {
  const { bot, table, nowMs } = context;
  let before: Row | undefined = known;
  return retryConflicts(async () => {
    before ??= (await findRows(bot.id, table.id, [known.id]))[0];
    if (!before) return notFoundText(known.id);
    const seen = before;
    before = undefined;
    const changed = changeRow(bot.id, table.id, seen, rowChange(table, seen, set, nowMs));
    const fault = sizeFault(table, changed.row.values);
    if (fault) return fault;
    const key = await keyWrites(context, seen, changed.row);
    if (typeof key === 'string') return key;
    await write([...key, changed.write]);
    return changed.row;
  });
}

/** What is written with a row whose key becomes another. @returns what is wrong, if another row has it */
export async function keyWrites(context: TableContext, before: Row, after: Row): Promise<Write[] | string> {
  const column = keyColumnOf(context.table);
  const key = column && after.values[column.id];
  if (!column || key === undefined || key === before.values[column.id]) return [];
  const [holder] = await findHolders(context, column, [key]);
  if (holder?.row && holder.row.id !== after.id) return keyTakenText(column, key);
  return [claimKey(context, column, key, after.id, holder?.claim)];
}
