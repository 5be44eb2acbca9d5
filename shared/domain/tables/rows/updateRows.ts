import { mapConcurrently } from '#shared/core/concurrency.ts';
import { retryConflicts, type Write, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import { findRows } from '#shared/storage/dynamodb/tables/rowReads.ts';
import { changeRow } from '#shared/storage/dynamodb/tables/rowWrites.ts';
import { keyColumnOf } from '#shared/storage/dynamodb/tables/tables.ts';
import { claimKey, duplicateKeyText, findHolders } from './keyHolders.ts';
import { logBatch, logRows, ROWS_WITH_ENTRIES } from './logged.ts';
import { rowChange, sizeFault } from './newRow.ts';
import {
  type CheckedRow,
  checkInput,
  emptyOutcome,
  type RowInput,
  type RowsOutcome,
  type TableContext,
} from './outcome.ts';

const AT_ONCE = 16;

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

export interface Update extends CheckedRow {
  row: Row;
}

export const checkUpdate = (
  { table }: TableContext,
  { row, ...given }: { index: number; input: RowInput; row: Row },
  outcome: RowsOutcome,
): Update[] => checkInput(table, { ...given, isNew: false }, outcome).map(checked => ({ ...checked, row }));

/** Applies updates of the same row sequentially, in input order. */
export async function applyUpdates(
  context: TableContext,
  updates: readonly Update[],
  outcome: RowsOutcome,
): Promise<void> {
  const groups = new Map<number, Update[]>();
  for (const update of updates) groups.set(update.row.id, [...(groups.get(update.row.id) ?? []), update]);
  const logEach = groups.size <= ROWS_WITH_ENTRIES ? logRows : undefined;
  const updateGroup = async (group: readonly Update[]) => {
    let latest: Row | undefined;
    for (const { index, set, row } of group) {
      const result = await updateRow(context, set, latest ?? row, logEach);
      if (typeof result === 'string') outcome.errors.push({ index, text: result });
      else latest = result;
    }
    return latest ? [latest] : [];
  };
  const updateAll = () => mapConcurrently([...groups.values()], AT_ONCE, updateGroup);
  const updated = await (logEach ? updateAll() : logBatch(context, [...groups.keys()], updateAll));
  outcome.rows.push(...updated.flat());
}

export const notFoundText = (id: number) => `The row ${id} was not found.`;

async function updateRow(
  context: TableContext,
  set: Record<string, string | null>,
  known: Row,
  log?: typeof logRows,
): Promise<Row | string> {
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
    await write([...key, changed.write, ...((await log?.(context, [known.id])) ?? [])]);
    return changed.row;
  });
}

/** Returns the writes that claim a changed key value, or the error text if another row has it. */
export async function keyWrites(context: TableContext, before: Row, after: Row): Promise<Write[] | string> {
  const column = keyColumnOf(context.table);
  const key = column && after.values[column.id];
  if (!column || key === undefined || key === before.values[column.id]) return [];
  const [holder] = await findHolders(context, column, [key]);
  if (holder?.row && holder.row.id !== after.id) return duplicateKeyText(column, key);
  return [claimKey(context, column, key, after.id, holder?.entry)];
}
