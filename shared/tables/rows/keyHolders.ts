/** Which row has a value of a column whose rows are told apart by it: see `table/rowClaims.ts`. */

import type { Column } from '#shared/dynamodb/tables/column.ts';
import { findRows } from '#shared/dynamodb/tables/rowReads.ts';
import { type Row } from '#shared/dynamodb/tables/row.ts';
import { claimUniqueKey, findUniqueKeys, type UniqueKey } from '#shared/dynamodb/tables/uniqueKeys.ts';
import { type Write, WriteConflict } from '#shared/dynamodb/transaction.ts';
import type { TableContext } from './outcome.ts';
import { decode } from './values.ts';

type KeyedTable = Pick<TableContext, 'bot' | 'table'>;

/** The entry of each value, and the row that has the value by it, if one has. */
export async function findHolders(
  { bot, table }: KeyedTable,
  column: Column,
  values: readonly (string | undefined)[],
): Promise<({ claim: UniqueKey | undefined; row: Row | undefined } | undefined)[]> {
  const wanted = [...new Set(values.filter(value => value !== undefined))];
  const claims = await findUniqueKeys(bot.id, table.id, column.id, wanted);
  const rows = await findRows(
    bot.id,
    table.id,
    claims.flatMap(claim => (claim ? [claim.rowId] : [])),
  );
  const byId = new Map(rows.flatMap(row => (row ? [[row.id, row]] : [])));
  const holders = new Map(
    wanted.map((value, i) => {
      const row = claims[i] && byId.get(claims[i].rowId);
      return [value, { claim: claims[i], row: row?.values[column.id] === value ? row : undefined }];
    }),
  );
  return values.map(value => (value === undefined ? undefined : holders.get(value)));
}

/** Gives a row the value, as long as its entry is the one that was seen. */
export const claimKey = (
  { bot, table }: KeyedTable,
  column: Column,
  key: string,
  rowId: number,
  seen: UniqueKey | undefined,
): Write => claimUniqueKey(bot.id, table.id, column.id, key, rowId, seen, () => new WriteConflict());

export const keyTakenText = (column: Column, key: string) =>
  `There is a row with ${column.name} ${JSON.stringify(decode(column, key)).slice(0, 200)} already; the column is the table's key.`;
