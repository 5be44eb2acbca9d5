import type { Column } from '#shared/storage/dynamodb/tables/column.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import { findRows } from '#shared/storage/dynamodb/tables/rowReads.ts';
import { keyColumnOf } from '#shared/storage/dynamodb/tables/tables.ts';
import { checkRow } from './checkRow.ts';
import { insertChecked } from './createRows.ts';
import { conflictNote, insertUnique, uniqueColumns } from './insertRows.ts';
import { findHolders } from './keyHolders.ts';
import { assignIdsOnce, buildRows, type NumberedRow, splitExisting } from './numberedRows.ts';
import {
  type CheckedRow,
  checkInput,
  emptyOutcome,
  type RowInput,
  type RowsOutcome,
  type TableContext,
} from './outcome.ts';
import { applyUpdates, checkUpdate, notFoundText, type Update } from './updateRows.ts';

export interface UpsertOutcome extends Omit<RowsOutcome, 'rows' | 'patternTests'> {
  inserted: Row[];
  updated: Row[];
}

export async function upsertById(context: TableContext, inputs: readonly RowInput[]): Promise<UpsertOutcome> {
  const ids = inputs.map(({ id }) => (typeof id === 'number' ? id : 0));
  const rows = await findRows(context.bot.id, context.table.id, ids);
  const outcome = emptyOutcome();
  const inserts: CheckedRow[] = [];
  const updates: Update[] = [];
  inputs.forEach((input, index) => {
    const row = rows[index];
    if (!row && ids[index] !== 0) {
      outcome.warnings.push({ index, text: `${notFoundText(ids[index]!)} A row with a new id was created.` });
    }
    if (row) updates.push(...checkUpdate(context, { index, input, row }, outcome));
    else inserts.push(...checkInput(context.table, { index, input, isNew: true }, outcome));
  });
  const inserted = emptyOutcome();
  await insertChecked(context, inserts, inserted);
  await applyUpdates(context, updates, outcome);
  return {
    inserted: inserted.rows,
    updated: outcome.rows,
    warnings: outcome.warnings,
    errors: [...outcome.errors, ...inserted.errors],
  };
}

interface KeyedInput {
  index: number;
  input: RowInput;
  key: string;
}

/**
 * Upserts by the values of a column. Of concurrent callers with the same new value, only one creates the row: each
 * created row claims the value's unique-key entry, even if the column is not the table's key.
 * @param find returns the ids of all rows per value; called unless the column is the key
 */
export async function upsertByColumn(
  context: TableContext,
  column: Column,
  inputs: readonly RowInput[],
  find: (keys: ReadonlySet<string>) => Promise<Map<string, number[]>>,
): Promise<UpsertOutcome> {
  const outcome = emptyOutcome();
  const keyed = keyedInputs(column, inputs, outcome);
  const keys = [...new Set(keyed.map(({ key }) => key))];
  const rowOf = await matchedRows(context, column, keys, find);

  const inserts: CheckedRow[] = [];
  const updates: Update[] = [];
  const later: KeyedInput[] = [];
  const insertedKeys = new Set<string>();
  for (const each of keyed) {
    const row = rowOf.get(each.key);
    if (row === 'several') {
      const text = `Several rows have this ${column.name}, so the row to change is ambiguous. Send its id.`;
      outcome.errors.push({ index: each.index, text });
    } else if (row) updates.push(...checkUpdate(context, { ...each, row }, outcome));
    else if (insertedKeys.has(each.key)) later.push(each);
    else {
      const checked = checkInput(context.table, { ...each, isNew: true }, outcome);
      if (checked.length > 0) insertedKeys.add(each.key);
      inserts.push(...checked);
    }
  }

  const { accepted, conflicts } = await insertWithKeys(context, column, buildRows(context, inserts, outcome));
  const created = new Map(accepted.map(row => [row.values[column.id], row]));
  for (const conflict of conflicts) {
    const { index, key, holder } = conflict;
    // A concurrent caller or an earlier attempt of this call created the row.
    if (conflict.column.id === column.id && holder) {
      created.set(key, holder);
      later.push({ index, input: inputs[index]!, key });
    } else outcome.errors.push(conflictNote(conflict));
  }
  for (const each of later) {
    const row = created.get(each.key);
    if (row) updates.push(...checkUpdate(context, { ...each, row }, outcome));
  }
  await applyUpdates(context, updates, outcome);
  const latest = new Map(outcome.rows.map(row => [row.id, row]));
  const inserted = accepted.map(row => latest.get(row.id) ?? row);
  const createdIds = new Set(accepted.map(({ id }) => id));
  const updated = outcome.rows.filter(({ id }) => !createdIds.has(id));
  return { inserted, updated, warnings: outcome.warnings, errors: outcome.errors };
}

/** Checks only this column, because only new rows require values. */
function keyedInputs(column: Column, inputs: readonly RowInput[], outcome: RowsOutcome): KeyedInput[] {
  return inputs.flatMap((input, index) => {
    const key = checkRow([column], input, { isNew: false, patternTests: outcome.patternTests }).set[column.id];
    if (key) return [{ index, input, key }];
    outcome.errors.push({ index, text: `The row has no valid ${column.name}, the keyColumn of this call.` });
    return [];
  });
}

async function insertWithKeys(context: TableContext, column: Column, rows: readonly NumberedRow[]) {
  const numbered = await assignIdsOnce(context, rows);
  const { existing, missing } = await splitExisting(context, numbered.rows, numbered.mayExist);
  const columns = [...new Set([...uniqueColumns(context.table), column])];
  const { accepted, conflicts } = await insertUnique(context, columns, missing, numbered.reserved);
  return { accepted: [...existing, ...accepted], conflicts };
}

async function matchedRows(
  context: TableContext,
  column: Column,
  keys: readonly string[],
  find: (keys: ReadonlySet<string>) => Promise<Map<string, number[]>>,
): Promise<Map<string, Row | 'several'>> {
  const { bot, table } = context;
  const matches = keyColumnOf(table)?.id === column.id ? new Map<string, number[]>() : await find(new Set(keys));
  const holders = await findHolders(context, column, keys);
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
