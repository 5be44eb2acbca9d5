/**
 * Creating rows. Each stands for itself: what is wrong with one is told, and the others are created. What another caller's
 * write was in the way of is computed again.
 */

import type { Answer } from '#shared/api/operation.ts';
import { chunksOf, mapConcurrently } from '#shared/concurrency.ts';
import type { Column } from '#shared/dynamodb/tables/column.ts';
import { findRows } from '#shared/dynamodb/tables/rowReads.ts';
import { putRow, putRows, allocateIds } from '#shared/dynamodb/tables/rowWrites.ts';
import { type Row } from '#shared/dynamodb/tables/row.ts';
import { keyColumnOf, type Table } from '#shared/dynamodb/tables/tables.ts';
import { retryConflicts, type Write, write } from '#shared/dynamodb/transaction.ts';
import { findHolders, claimKey, keyTakenText } from './keyHolders.ts';
import { sizeFault, newRow } from './newRow.ts';
import { type CheckedRow, checkInput, emptyOutcome, type RowInput, type RowsOutcome, type TableContext } from './outcome.ts';
import { requireRoomForRows } from './quota.ts';

/** A new row with its id, and which of those that were given it is. */
export interface NumberedRow {
  index: number;
  row: Row;
}

/** Rows written as one, which costs twice as much for each, but is done once however often it is repeated. */
const ATOMIC_ROWS = 10;
/** Rows of a transaction, each with the entries of its keys. */
const TRANSACTION_ROWS = 25;
const AT_ONCE = 16;

/**
 * @param finish ends the call: what it is given is written together with the answer that is kept for a repeated call
 * @throws ApiError QuotaExceeded
 */
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
  const rows = await assignIds(context, buildRows(context, checked, outcome));
  return retryConflicts(async () => {
    const attempt: RowsOutcome = { ...outcome, errors: [...outcome.errors] };
    const { writes, accepted, held } = await uniqueInserts(context, uniqueColumns(context.table), rows);
    attempt.errors.push(...held.map(conflictNote));
    attempt.rows = accepted;
    return finish(attempt, writes);
  });
}

/** New rows without an id; what is too large is left out. */
export function buildRows({ table, nowMs }: TableContext, checked: readonly CheckedRow[], outcome: RowsOutcome): NumberedRow[] {
  return checked.flatMap(({ index, set }) => {
    const row = newRow(table, set, 0, nowMs);
    const fault = sizeFault(table, row.values);
    if (!fault) return [{ index, row }];
    outcome.errors.push({ index, text: fault });
    return [];
  });
}

/** Gives new rows their ids. @throws ApiError QuotaExceeded */
async function assignIds({ bot, table }: TableContext, rows: readonly NumberedRow[]): Promise<NumberedRow[]> {
  if (rows.length === 0) return [];
  await requireRoomForRows(bot, rows.length * table.factor);
  const firstId = (await allocateIds(bot.id, table.id, rows.length)) - rows.length + 1;
  return rows.map(({ index, row }, i) => ({ index, row: { ...row, id: firstId + i } }));
}

/**
 * The same for rows that are not written together with the call's answer. A repeated call gives each row the id it had, so
 * that none is there twice, wherever the call before ended.
 * @returns also whether some of them may be there
 */
export async function assignIdsOnce(
  context: TableContext,
  rows: readonly NumberedRow[],
): Promise<{ rows: NumberedRow[]; mayBeThere: boolean }> {
  if (!context.keepOnce || rows.length === 0) return { rows: await assignIds(context, rows), mayBeThere: false };
  const { value: ids, isRepeated } = await context.keepOnce(async () =>
    (await assignIds(context, rows)).map(({ index, row }): [number, number] => [index, row.id]),
  );
  const idOf = new Map(ids);
  const known = rows.flatMap(({ index, row }) => {
    const id = idOf.get(index);
    return id === undefined ? [] : [{ index, row: { ...row, id } }];
  });
  // What was no new row the time before: its table changed, or the row that it was to change is gone.
  const others = await assignIds(
    context,
    rows.filter(({ index }) => !idOf.has(index)),
  );
  return { rows: [...known, ...others], mayBeThere: isRepeated };
}

/** Creates rows that were checked, however many. */
export async function insertChecked(context: TableContext, checked: readonly CheckedRow[], outcome: RowsOutcome) {
  const { rows, mayBeThere } = await assignIdsOnce(context, buildRows(context, checked, outcome));
  const { there, missing } = await splitByPresence(context, rows, mayBeThere);
  outcome.rows.push(...there);
  await insertRows(context, missing, outcome);
}

/** Rows that are there are left as they are: somebody may have changed them meanwhile. */
export async function splitByPresence(
  { bot, table }: TableContext,
  rows: readonly NumberedRow[],
  mayBeThere: boolean,
): Promise<{ there: Row[]; missing: readonly NumberedRow[] }> {
  if (!mayBeThere) return { there: [], missing: rows };
  const found = await findRows(
    bot.id,
    table.id,
    rows.map(({ row }) => row.id),
  );
  return { there: found.filter(row => row !== undefined), missing: rows.filter((_, i) => !found[i]) };
}

/** Writes new rows that have their ids, however many. Doing so twice does no harm. */
export async function insertRows(context: TableContext, rows: readonly NumberedRow[], outcome: RowsOutcome): Promise<void> {
  const columns = uniqueColumns(context.table);
  if (columns.length === 0) {
    const all = rows.map(({ row }) => row);
    await putRows(context.bot.id, context.table.id, all);
    outcome.rows.push(...all);
    return;
  }
  const { accepted, held } = await insertUnique(context, columns, rows);
  outcome.rows.push(...accepted);
  outcome.errors.push(...held.map(conflictNote));
}

/** The columns of which no two rows have the same value. */
export const uniqueColumns = (table: Table): Column[] => {
  const column = keyColumnOf(table);
  return column ? [column] : [];
};

/** A row that cannot be created, as another has its value. */
interface KeyConflict extends NumberedRow {
  column: Column;
  key: string;
  holder: Row | undefined;
}

export const conflictNote = ({ index, column, key }: KeyConflict) => ({ index, text: keyTakenText(column, key) });

/** @param columns of which no two rows have the same value */
export async function insertUnique(context: TableContext, columns: readonly Column[], rows: readonly NumberedRow[]) {
  const ends = await mapConcurrently(chunksOf(rows, TRANSACTION_ROWS), AT_ONCE, group =>
    retryConflicts(async () => {
      const { writes, ...end } = await uniqueInserts(context, columns, group);
      await write(writes);
      return end;
    }),
  );
  return { accepted: ends.flatMap(({ accepted }) => accepted), held: ends.flatMap(({ held }) => held) };
}

/** The writes of new rows with the entries of their values; of those whose value another row has there are none. */
async function uniqueInserts(context: TableContext, columns: readonly Column[], rows: readonly NumberedRow[]) {
  const holders = await Promise.all(
    columns.map(column =>
      findHolders(
        context,
        column,
        rows.map(({ row }) => row.values[column.id]),
      ),
    ),
  );
  const writes: Write[] = [];
  const accepted: Row[] = [];
  const held: KeyConflict[] = [];
  const seen = new Set<string>();
  rows.forEach(({ index, row }, i) => {
    const keys = columns.flatMap((column, c) => {
      const key = row.values[column.id];
      return key === undefined ? [] : [{ column, key, name: `${c} ${key}`, ...holders[c]![i] }];
    });
    const taken = keys.find(({ name, row: holder }) => seen.has(name) || (holder && holder.id !== row.id));
    if (taken) {
      held.push({ index, row, column: taken.column, key: taken.key, holder: taken.row });
      return;
    }
    for (const { column, key, name, claim } of keys) {
      seen.add(name);
      writes.push(claimKey(context, column, key, row.id, claim));
    }
    writes.push(putRow(context.bot.id, context.table.id, row));
    accepted.push(row);
  });
  return { writes, accepted, held };
}
