/**
 * Creating and changing rows. Each row stands for itself: what is wrong with one is told, and the others are written. What
 * another caller's write was in the way of is computed again.
 */
import { chunksOf, mapConcurrently } from '../batches.ts';
import type { Answer } from '../operation.ts';
import type { Bot } from '../table/bots.ts';
import { changeRow, findRows, putRow, putRows, type Row, takeIds } from '../table/rows.ts';
import { keyColumnOf, type Table } from '../table/tables.ts';
import { retryConflicts, type Write, write } from '../table/write.ts';
import type { Column } from './column.ts';
import { faultOfSize, newRow, rowChange } from './newRow.ts';
import { findHolders, takeKey } from './rowKeys.ts';
import { requireRoomForRows } from './rowQuota.ts';
import { checkRow, decode } from './rowValues.ts';

export const ROWS_LIMIT = 1_000;

export type RowInput = Record<string, unknown>;

/** Where rows are written, and on whose account. */
export interface TableHome {
  bot: Pick<Bot, 'id' | 'workspaceId'>;
  table: Table;
  nowMs: number;
}

/** What became of rows: those that were written, and what there is to say of the others. */
export interface Outcome {
  rows: Row[];
  warnings: string[];
  errors: string[];
}

/** What is to become of a row: its values by the id of their column, and which of those that were given it is. */
interface Checked {
  index: number;
  set: Record<string, string | null>;
}

/** A new row with its id, and which of those that were given it is. */
export interface Numbered {
  index: number;
  row: Row;
}

/** Rows written as one, which costs twice as much for each, but is done once however often it is repeated. */
const TOGETHER = 10;
const CONFLICT_ATTEMPTS = 15;
/** Rows of a transaction, each with the entries of its keys. */
const CLAIMED_TOGETHER = 25;
const AT_ONCE = 16;

/** @param index of the row among those that were given */
const saidOfRow = (index: number, text: string) => `rows[${index}]: ${text}`;

export const noOutcome = (): Outcome => ({ rows: [], warnings: [], errors: [] });

/** Checks a row; what is wrong with it is told, and it is left out. */
function check(table: Table, index: number, input: RowInput, isNew: boolean, outcome: Outcome): Checked[] {
  const { set, warnings, errors } = checkRow(table.columns, input, { isNew });
  outcome.warnings.push(...warnings.map(text => saidOfRow(index, text)));
  outcome.errors.push(...errors.map(text => saidOfRow(index, text)));
  return errors.length > 0 ? [] : [{ index, set }];
}

/**
 * Creates rows.
 * @param finish ends the call: what it is given is written together with the answer that is kept for a repeated call
 * @throws ApiError QuotaExceeded
 */
export async function createRows<T>(
  home: TableHome,
  inputs: readonly RowInput[],
  finish: (outcome: Outcome, writes: Write[]) => Promise<Answer<T>>,
): Promise<Answer<T>> {
  const outcome = noOutcome();
  const checked = inputs.flatMap((input, index) => check(home.table, index, input, true, outcome));
  const rows = await withIds(home, checked, outcome);
  if (rows.length > TOGETHER) {
    await insertRows(home, rows, outcome);
    return finish(outcome, []);
  }
  return retryConflicts(CONFLICT_ATTEMPTS, async () => {
    const attempt: Outcome = { ...outcome, errors: [...outcome.errors] };
    const { writes, accepted, held } = await claimed(home, claimedColumns(home.table), rows);
    attempt.errors.push(...held.map(each => saidOfRow(each.index, takenText(each.column, each.key))));
    attempt.rows = accepted;
    return finish(attempt, writes);
  });
}

/** Gives rows that were checked their ids, and leaves out what is too large. */
async function withIds(home: TableHome, checked: readonly Checked[], outcome: Outcome): Promise<Numbered[]> {
  const { bot, table, nowMs } = home;
  const fitting = checked
    .map(({ index, set }) => ({ index, row: newRow(table, set, 0, nowMs) }))
    .filter(({ index, row }) => {
      const fault = faultOfSize(table, row.values);
      if (fault) outcome.errors.push(saidOfRow(index, fault));
      return !fault;
    });
  if (fitting.length === 0) return [];
  await requireRoomForRows(bot, fitting.length * table.factor);
  const lastId = await takeIds(bot.id, table.id, fitting.length);
  return fitting.map(({ index, row }, i) => ({ index, row: { ...row, id: lastId - fitting.length + 1 + i } }));
}

/** Writes new rows that have their ids, however many. Doing so twice does no harm. */
export async function insertRows(home: TableHome, rows: readonly Numbered[], outcome: Outcome): Promise<void> {
  const columns = claimedColumns(home.table);
  if (columns.length === 0) {
    const all = rows.map(({ row }) => row);
    await putRows(home.bot.id, home.table.id, all);
    outcome.rows.push(...all);
    return;
  }
  const { accepted, held } = await insertClaimed(home, columns, rows);
  outcome.rows.push(...accepted);
  outcome.errors.push(...held.map(each => saidOfRow(each.index, takenText(each.column, each.key))));
}

/** The columns of which no two rows have the same value. */
const claimedColumns = (table: Table): Column[] => {
  const column = keyColumnOf(table);
  return column ? [column] : [];
};

const takenText = (column: Column, key: string) =>
  `There is a row with ${column.name} ${JSON.stringify(decode(column, key)).slice(0, 200)} already; the column is the table's key.`;

/** A row that cannot be created, as another has its value. */
interface Held extends Numbered {
  column: Column;
  key: string;
  holder: Row | undefined;
}

async function insertClaimed(home: TableHome, columns: readonly Column[], rows: readonly Numbered[]) {
  const ends = await mapConcurrently(chunksOf(rows, CLAIMED_TOGETHER), AT_ONCE, group =>
    retryConflicts(CONFLICT_ATTEMPTS, async () => {
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

/** Changes rows by their ids. */
export async function updateRows(home: TableHome, inputs: readonly (RowInput & { id: number })[]): Promise<Outcome> {
  const outcome = noOutcome();
  const rows = await findRows(
    home.bot.id,
    home.table.id,
    inputs.map(({ id }) => id),
  );
  const updates = inputs.flatMap((input, index) => {
    const row = rows[index];
    if (!row) outcome.errors.push(saidOfRow(index, notFoundText(input.id)));
    return row ? check(home.table, index, input, false, outcome).map(checked => ({ ...checked, row })) : [];
  });
  await applyUpdates(home, updates, outcome);
  return outcome;
}

interface Update extends Checked {
  /** As it was just read. */
  row: Row;
}

/** One after the other where a row is named twice, so that the last word counts. */
async function applyUpdates(home: TableHome, updates: readonly Update[], outcome: Outcome): Promise<void> {
  const groups = new Map<number, Update[]>();
  for (const update of updates) groups.set(update.row.id, [...(groups.get(update.row.id) ?? []), update]);
  const ends = await mapConcurrently([...groups.values()], AT_ONCE, async group => {
    let end: Row | undefined;
    for (const { index, set, row } of group) {
      const result = await updateRow(home, set, end ?? row);
      if (typeof result === 'string') outcome.errors.push(saidOfRow(index, result));
      else end = result;
    }
    return end ? [end] : [];
  });
  outcome.rows.push(...ends.flat());
}

const notFoundText = (id: number) => `The row ${id} was not found.`;

/** @param known the row as it was just read @returns the row, or what is wrong */
async function updateRow(home: TableHome, set: Record<string, string | null>, known: Row): Promise<Row | string> {
  const { bot, table, nowMs } = home;
  let before: Row | undefined = known;
  return retryConflicts(CONFLICT_ATTEMPTS, async () => {
    before ??= (await findRows(bot.id, table.id, [known.id]))[0];
    if (!before) return notFoundText(known.id);
    const seen = before;
    before = undefined;
    const changed = changeRow(bot.id, table.id, seen, rowChange(table, seen, set, nowMs));
    const fault = faultOfSize(table, changed.row.values);
    if (fault) return fault;
    const key = await keyWrites(home, seen, changed.row);
    if (typeof key === 'string') return key;
    await write([...key, changed.write]);
    return changed.row;
  });
}

/** What is written with a row whose key becomes another. @returns what is wrong, if another row has it */
export async function keyWrites(home: TableHome, before: Row, after: Row): Promise<Write[] | string> {
  const column = keyColumnOf(home.table);
  const key = column && after.values[column.id];
  if (!column || key === undefined || key === before.values[column.id]) return [];
  const [holder] = await findHolders(home, column, [key]);
  if (holder?.row && holder.row.id !== after.id) return takenText(column, key);
  return [takeKey(home, column, key, after.id, holder?.claim)];
}

/** What became of rows that were changed where they were found, and created where not. */
export interface Upserted extends Omit<Outcome, 'rows'> {
  inserted: Row[];
  updated: Row[];
}

/** Changes the rows whose ids are given, and creates the others. */
export async function upsertById(home: TableHome, inputs: readonly RowInput[]): Promise<Upserted> {
  const ids = inputs.map(({ id }) => (typeof id === 'number' ? id : 0));
  const rows = await findRows(home.bot.id, home.table.id, ids);
  const outcome = noOutcome();
  const news: Checked[] = [];
  const updates: Update[] = [];
  inputs.forEach((input, index) => {
    const row = rows[index];
    if (!row && ids[index] !== 0) {
      outcome.warnings.push(saidOfRow(index, `${notFoundText(ids[index]!)} It was created, with an id of its own.`));
    }
    const checked = check(home.table, index, input, !row, outcome);
    if (row) updates.push(...checked.map(each => ({ ...each, row })));
    else news.push(...checked);
  });
  const inserted = noOutcome();
  await insertRows(home, await withIds(home, news, outcome), inserted);
  await applyUpdates(home, updates, outcome);
  return ended(inserted.rows, outcome, inserted.errors);
}

const ended = (inserted: Row[], { rows, warnings, errors }: Outcome, more: readonly string[] = []): Upserted => ({
  inserted,
  updated: rows,
  warnings,
  errors: [...errors, ...more],
});

/**
 * Changes the rows that have the values given for a column, and creates the others. Of many callers at once who bring a new
 * value one creates its row, whether or not the column is the table's key: what is created takes its value's entry.
 * @param find the ids of all rows that have one of these values, for a column that is not the key
 */
export async function upsertByColumn(
  home: TableHome,
  column: Column,
  inputs: readonly RowInput[],
  find: (keys: ReadonlySet<string>) => Promise<Map<string, number[]>>,
): Promise<Upserted> {
  const outcome = noOutcome();
  // What is missing is found out where it is known whether the row is new.
  const keyed = inputs.flatMap((input, index) => {
    const key = checkRow([column], input, { isNew: false }).set[column.id];
    if (key) return [{ index, input, key }];
    outcome.errors.push(saidOfRow(index, `It has no valid ${column.name}, by which rows are told apart here.`));
    return [];
  });
  const keys = [...new Set(keyed.map(({ key }) => key))];
  const matches = keyColumnOf(home.table)?.id === column.id ? new Map<string, number[]>() : await find(new Set(keys));
  const holders = await findHolders(home, column, keys);
  const rowOf = await matchedRows(home, keys, matches, holders);

  const news: Checked[] = [];
  const updates: Update[] = [];
  /** Rows after the first with a new value: they change what the first creates. */
  const later: typeof keyed = [];
  const isComing = new Set<string>();
  for (const each of keyed) {
    const row = rowOf.get(each.key);
    if (row === 'several') {
      const text = `Several rows have this ${column.name}: it does not say which one is meant.`;
      outcome.errors.push(saidOfRow(each.index, text));
    } else if (row) {
      updates.push(...check(home.table, each.index, each.input, false, outcome).map(checked => ({ ...checked, row })));
    } else if (isComing.has(each.key)) later.push(each);
    else {
      const checked = check(home.table, each.index, each.input, true, outcome);
      if (checked.length > 0) isComing.add(each.key);
      news.push(...checked);
    }
  }

  const rows = await withIds(home, news, outcome);
  const columns = [...new Set([...claimedColumns(home.table), column])];
  const { accepted, held } = await insertClaimed(home, columns, rows);
  // Somebody else created it meanwhile, or this call did.
  const created = new Map(accepted.map(row => [row.values[column.id], row]));
  for (const each of held) {
    if (each.column.id === column.id && each.holder) {
      created.set(each.key, each.holder);
      later.push({ index: each.index, input: inputs[each.index]!, key: each.key });
    } else outcome.errors.push(saidOfRow(each.index, takenText(each.column, each.key)));
  }
  for (const each of later) {
    const row = created.get(each.key);
    if (!row) continue;
    updates.push(...check(home.table, each.index, each.input, false, outcome).map(checked => ({ ...checked, row })));
  }
  await applyUpdates(home, updates, outcome);
  // What was created and then changed is shown as it is now.
  const latest = new Map(outcome.rows.map(row => [row.id, row]));
  const inserted = accepted.map(row => latest.get(row.id) ?? row);
  const createdIds = new Set(accepted.map(({ id }) => id));
  return ended(inserted, { ...outcome, rows: outcome.rows.filter(({ id }) => !createdIds.has(id)) });
}

/** The row of each value, where there is just one. */
async function matchedRows(
  { bot, table }: TableHome,
  keys: readonly string[],
  matches: ReadonlyMap<string, readonly number[]>,
  holders: readonly ({ row: Row | undefined } | undefined)[],
): Promise<Map<string, Row | 'several'>> {
  const ids = keys.map((key, i) => {
    const holder = holders[i]?.row;
    return [...new Set([...(matches.get(key) ?? []), ...(holder ? [holder.id] : [])])];
  });
  const rows = await findRows(
    bot.id,
    table.id,
    ids.flatMap(each => (each.length === 1 ? each : [])),
  );
  const byId = new Map(rows.flatMap(row => (row ? [[row.id, row]] : [])));
  return new Map(
    keys.flatMap((key, i): [string, Row | 'several'][] => {
      if (ids[i]!.length > 1) return [[key, 'several']];
      const row = byId.get(ids[i]![0]!);
      return row ? [[key, row]] : [];
    }),
  );
}
