/** Changing rows where they are found, and creating the others. */

import type { Column } from '#shared/dynamodb/tables/column.ts';
import { findRows } from '#shared/dynamodb/tables/rowReads.ts';
import { type Row } from '#shared/dynamodb/tables/row.ts';
import { keyColumnOf } from '#shared/dynamodb/tables/tables.ts';
import {
  uniqueColumns,
  conflictNote,
  insertChecked,
  insertUnique,
  buildRows,
  assignIdsOnce,
  splitByPresence,
} from './createRows.ts';
import { findHolders } from './keyHolders.ts';
import { type CheckedRow, checkInput, emptyOutcome, type RowInput, type RowsOutcome, type TableContext } from './outcome.ts';
import { applyUpdates, checkUpdate, notFoundText, type Update } from './updateRows.ts';
import { checkRow } from './values.ts';

/** What became of rows that were changed where they were found, and created where not. */
export interface Upserted extends Omit<RowsOutcome, 'rows'> {
  inserted: Row[];
  updated: Row[];
}

/** Changes the rows whose ids are given, and creates the others. */
export async function upsertById(context: TableContext, inputs: readonly RowInput[]): Promise<Upserted> {
  const ids = inputs.map(({ id }) => (typeof id === 'number' ? id : 0));
  const rows = await findRows(context.bot.id, context.table.id, ids);
  const outcome = emptyOutcome();
  const news: CheckedRow[] = [];
  const updates: Update[] = [];
  inputs.forEach((input, index) => {
    const row = rows[index];
    if (!row && ids[index] !== 0) {
      outcome.warnings.push({ index, text: `${notFoundText(ids[index]!)} It was created, with an id of its own.` });
    }
    if (row) updates.push(...checkUpdate(context, { index, input, row }, outcome));
    else news.push(...checkInput(context.table, { index, input, isNew: true }, outcome));
  });
  const inserted = emptyOutcome();
  await insertChecked(context, news, inserted);
  await applyUpdates(context, updates, outcome);
  return {
    inserted: inserted.rows,
    updated: outcome.rows,
    warnings: outcome.warnings,
    errors: [...outcome.errors, ...inserted.errors],
  };
}

/**
 * Changes the rows that have the values given for a column, and creates the others. Of many callers at once who bring a new
 * value one creates its row, whether or not the column is the table's key: what is created takes its value's entry.
 * @param find the ids of all rows that have one of these values, for a column that is not the key
 */
export async function upsertByColumn(
  context: TableContext,
  column: Column,
  inputs: readonly RowInput[],
  find: (keys: ReadonlySet<string>) => Promise<Map<string, number[]>>,
): Promise<Upserted> {
  const outcome = emptyOutcome();
  // What is missing is found out where it is known whether the row is new.
  const keyed = inputs.flatMap((input, index) => {
    const key = checkRow([column], input, { isNew: false }).set[column.id];
    if (key) return [{ index, input, key }];
    outcome.errors.push({ index, text: `It has no valid ${column.name}, by which rows are told apart here.` });
    return [];
  });
  const keys = [...new Set(keyed.map(({ key }) => key))];
  const matches = keyColumnOf(context.table)?.id === column.id ? new Map<string, number[]>() : await find(new Set(keys));
  const holders = await findHolders(context, column, keys);
  const rowOf = await matchedRows(context, keys, matches, holders);

  const news: CheckedRow[] = [];
  const updates: Update[] = [];
  /** Rows after the first with a new value: they change what the first creates. */
  const later: typeof keyed = [];
  const isComing = new Set<string>();
  for (const each of keyed) {
    const row = rowOf.get(each.key);
    if (row === 'several') {
      const text = `Several rows have this ${column.name}: it does not say which one is meant.`;
      outcome.errors.push({ index: each.index, text });
    } else if (row) updates.push(...checkUpdate(context, { ...each, row }, outcome));
    else if (isComing.has(each.key)) later.push(each);
    else {
      const checked = checkInput(context.table, { ...each, isNew: true }, outcome);
      if (checked.length > 0) isComing.add(each.key);
      news.push(...checked);
    }
  }

  const { rows, mayBeThere } = await assignIdsOnce(context, buildRows(context, news, outcome));
  const { there, missing } = await splitByPresence(context, rows, mayBeThere);
  const columns = [...new Set([...uniqueColumns(context.table), column])];
  const end = await insertUnique(context, columns, missing);
  const accepted = [...there, ...end.accepted];
  // Somebody else created it meanwhile, or this call did.
  const created = new Map(accepted.map(row => [row.values[column.id], row]));
  for (const each of end.held) {
    if (each.column.id === column.id && each.holder) {
      created.set(each.key, each.holder);
      later.push({ index: each.index, input: inputs[each.index]!, key: each.key });
    } else outcome.errors.push(conflictNote(each));
  }
  for (const each of later) {
    const row = created.get(each.key);
    if (row) updates.push(...checkUpdate(context, { ...each, row }, outcome));
  }
  await applyUpdates(context, updates, outcome);
  // What was created and then changed is shown as it is now.
  const latest = new Map(outcome.rows.map(row => [row.id, row]));
  const inserted = accepted.map(row => latest.get(row.id) ?? row);
  const createdIds = new Set(accepted.map(({ id }) => id));
  const updated = outcome.rows.filter(({ id }) => !createdIds.has(id));
  return { inserted, updated, warnings: outcome.warnings, errors: outcome.errors };
}

/** The row of each value, where there is just one. */
async function matchedRows(
  { bot, table }: TableContext,
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
