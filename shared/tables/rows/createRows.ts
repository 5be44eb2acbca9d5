/**
 * Creating rows. Each stands for itself: what is wrong with one is told, and the others are created. What another caller's
 * write was in the way of is computed again.
 */

import type { Answer } from '#shared/api/operation.ts';
import { chunksOf, mapConcurrently } from '#shared/concurrency.ts';
import type { Column } from '#shared/dynamodb/tables/column.ts';
import { findRows, putRow, putRows, type Row, takeIds } from '#shared/dynamodb/tables/rows.ts';
import { keyColumnOf, type Table } from '#shared/dynamodb/tables/tables.ts';
import { retryConflicts, type Write, write } from '#shared/dynamodb/transaction.ts';
import { findHolders, takeKey, takenText } from './keyHolders.ts';
import { faultOfSize, newRow } from './newRow.ts';
import { type Checked, checkInput, noOutcome, type RowInput, type RowsOutcome, type TableHome } from './outcome.ts';
import { requireRoomForRows } from './quota.ts';

/** A new row with its id, and which of those that were given it is. */
export interface Numbered {
  index: number;
  row: Row;
}

/** Rows written as one, which costs twice as much for each, but is done once however often it is repeated. */
const TOGETHER = 10;
/** Rows of a transaction, each with the entries of its keys. */
const CLAIMED_TOGETHER = 25;
const AT_ONCE = 16;

/**
 * @param finish ends the call: what it is given is written together with the answer that is kept for a repeated call
 * @throws ApiError QuotaExceeded
 */
export async function createRows<T>(
  home: TableHome,
  inputs: readonly RowInput[],
  finish: (outcome: RowsOutcome, writes: Write[]) => Promise<Answer<T>>,
): Promise<Answer<T>> {
  const outcome = noOutcome();
  const checked = inputs.flatMap((input, index) => checkInput(home.table, { index, input, isNew: true }, outcome));
  if (checked.length > TOGETHER) {
    await insertChecked(home, checked, outcome);
    return finish(outcome, []);
  }
  const rows = await numbered(home, newRows(home, checked, outcome));
  return retryConflicts(async () => {
    const attempt: RowsOutcome = { ...outcome, errors: [...outcome.errors] };
    const { writes, accepted, held } = await claimed(home, claimedColumns(home.table), rows);
    attempt.errors.push(...held.map(heldNote));
    attempt.rows = accepted;
    return finish(attempt, writes);
  });
}

/** New rows without an id; what is too large is left out. */
export function newRows({ table, nowMs }: TableHome, checked: readonly Checked[], outcome: RowsOutcome): Numbered[] {
  return checked.flatMap(({ index, set }) => {
    const row = newRow(table, set, 0, nowMs);
    const fault = faultOfSize(table, row.values);
    if (!fault) return [{ index, row }];
    outcome.errors.push({ index, text: fault });
    return [];
  });
}

/** Gives new rows their ids. @throws ApiError QuotaExceeded */
async function numbered({ bot, table }: TableHome, rows: readonly Numbered[]): Promise<Numbered[]> {
  if (rows.length === 0) return [];
  await requireRoomForRows(bot, rows.length * table.factor);
  const firstId = (await takeIds(bot.id, table.id, rows.length)) - rows.length + 1;
  return rows.map(({ index, row }, i) => ({ index, row: { ...row, id: firstId + i } }));
}

/**
 * The same for rows that are not written together with the call's answer. A repeated call gives each row the id it had, so
 * that none is there twice, wherever the call before ended.
 * @returns also whether some of them may be there
 */
export async function numberedOnce(
  home: TableHome,
  rows: readonly Numbered[],
): Promise<{ rows: Numbered[]; mayBeThere: boolean }> {
  if (!home.keepOnce || rows.length === 0) return { rows: await numbered(home, rows), mayBeThere: false };
  const { value: ids, isRepeated } = await home.keepOnce(async () =>
    (await numbered(home, rows)).map(({ index, row }): [number, number] => [index, row.id]),
  );
  const idOf = new Map(ids);
  const known = rows.flatMap(({ index, row }) => {
    const id = idOf.get(index);
    return id === undefined ? [] : [{ index, row: { ...row, id } }];
  });
  // What was no new row the time before: its table changed, or the row that it was to change is gone.
  const others = await numbered(
    home,
    rows.filter(({ index }) => !idOf.has(index)),
  );
  return { rows: [...known, ...others], mayBeThere: isRepeated };
}

/** Creates rows that were checked, however many. */
export async function insertChecked(home: TableHome, checked: readonly Checked[], outcome: RowsOutcome) {
  const { rows, mayBeThere } = await numberedOnce(home, newRows(home, checked, outcome));
  const { there, missing } = await splitByPresence(home, rows, mayBeThere);
  outcome.rows.push(...there);
  await insertRows(home, missing, outcome);
}

/** Rows that are there are left as they are: somebody may have changed them meanwhile. */
export async function splitByPresence(
  { bot, table }: TableHome,
  rows: readonly Numbered[],
  mayBeThere: boolean,
): Promise<{ there: Row[]; missing: readonly Numbered[] }> {
  if (!mayBeThere) return { there: [], missing: rows };
  const found = await findRows(
    bot.id,
    table.id,
    rows.map(({ row }) => row.id),
  );
  return { there: found.filter(row => row !== undefined), missing: rows.filter((_, i) => !found[i]) };
}

/** Writes new rows that have their ids, however many. Doing so twice does no harm. */
export async function insertRows(home: TableHome, rows: readonly Numbered[], outcome: RowsOutcome): Promise<void> {
  const columns = claimedColumns(home.table);
  if (columns.length === 0) {
    const all = rows.map(({ row }) => row);
    await putRows(home.bot.id, home.table.id, all);
    outcome.rows.push(...all);
    return;
  }
  const { accepted, held } = await insertClaimed(home, columns, rows);
  outcome.rows.push(...accepted);
  outcome.errors.push(...held.map(heldNote));
}

/** The columns of which no two rows have the same value. */
export const claimedColumns = (table: Table): Column[] => {
  const column = keyColumnOf(table);
  return column ? [column] : [];
};

/** A row that cannot be created, as another has its value. */
interface Held extends Numbered {
  column: Column;
  key: string;
  holder: Row | undefined;
}

export const heldNote = ({ index, column, key }: Held) => ({ index, text: takenText(column, key) });

/** @param columns of which no two rows have the same value */
export async function insertClaimed(home: TableHome, columns: readonly Column[], rows: readonly Numbered[]) {
  const ends = await mapConcurrently(chunksOf(rows, CLAIMED_TOGETHER), AT_ONCE, group =>
    retryConflicts(async () => {
      const { writes, ...end } = await claimed(home, columns, group);
      await write(writes);
      return end;
    }),
  );
  return { accepted: ends.flatMap(({ accepted }) => accepted), held: ends.flatMap(({ held }) => held) };
}

/** The writes of new rows with the entries of their values; of those whose value another row has there are none. */
async function claimed(home: TableHome, columns: readonly Column[], rows: readonly Numbered[]) {
  const holders = await Promise.all(
    columns.map(column =>
      findHolders(
        home,
        column,
        rows.map(({ row }) => row.values[column.id]),
      ),
    ),
  );
  const writes: Write[] = [];
  const accepted: Row[] = [];
  const held: Held[] = [];
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
      writes.push(takeKey(home, column, key, row.id, claim));
    }
    writes.push(putRow(home.bot.id, home.table.id, row));
    accepted.push(row);
  });
  return { writes, accepted, held };
}
