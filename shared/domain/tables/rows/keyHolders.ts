import { startOf } from '#shared/core/excerpt.ts';
import { decode } from '#shared/domain/tables/schema/rowValues.ts';
import { type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import type { Column } from '#shared/storage/dynamodb/tables/column.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import { findRows } from '#shared/storage/dynamodb/tables/rowReads.ts';
import { claimUniqueKey, findUniqueKeys, type UniqueKey } from '#shared/storage/dynamodb/tables/uniqueKeys.ts';
import type { TableContext } from './outcome.ts';

type KeyedTable = Pick<TableContext, 'bot' | 'table'>;

/** Returns the unique-key entry of each value, and its row if that row still has the value. */
export async function findHolders(
  { bot, table }: KeyedTable,
  column: Column,
  values: readonly (string | undefined)[],
): Promise<({ entry: UniqueKey | undefined; row: Row | undefined } | undefined)[]> {
  const distinct = [...new Set(values.filter(value => value !== undefined))];
  const entries = await findUniqueKeys(bot.id, table.id, column.id, distinct);
  const rows = await findRows(
    bot.id,
    table.id,
    entries.flatMap(entry => (entry ? [entry.rowId] : [])),
  );
  const byId = new Map(rows.flatMap(row => (row ? [[row.id, row]] : [])));
  const holders = new Map(
    distinct.map((value, i) => {
      const row = entries[i] && byId.get(entries[i].rowId);
      return [value, { entry: entries[i], row: row?.values[column.id] === value ? row : undefined }];
    }),
  );
  return values.map(value => (value === undefined ? undefined : holders.get(value)));
}

/** Claims a value for a row. Throws {@link WriteConflict} if the entry has changed since it was read. */
export const claimKey = (
  { bot, table }: KeyedTable,
  column: Column,
  key: string,
  rowId: number,
  seen: UniqueKey | undefined,
): Write => claimUniqueKey(bot.id, table.id, column.id, key, rowId, seen, () => new WriteConflict());

export const duplicateKeyText = (column: Column, key: string) =>
  `A row with ${column.name} ${startOf(JSON.stringify(decode(column, key)), 200)} already exists; ${column.name} is the table's key.`;
