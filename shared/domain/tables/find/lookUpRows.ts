import type { Filter } from '#shared/domain/tables/query/filter.ts';
import type { RowSource } from '#shared/domain/tables/reading/source.ts';
import { findHolders } from '#shared/domain/tables/rows/keyHolders.ts';
import { encode } from '#shared/domain/tables/schema/values.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import { findRows } from '#shared/storage/dynamodb/tables/rowReads.ts';
import { keyColumnOf } from '#shared/storage/dynamodb/tables/tables.ts';

/** Returns the only rows that a filter on ids or a key value can match; undefined if the table must be scanned. */
export async function lookUpRows({ bot, table }: RowSource, filter: Filter): Promise<Row[] | undefined> {
  if (filter.idList) return existing(await findRows(bot.id, table.id, filter.idList));
  const column = keyColumnOf(table);
  const value = column && filter.equalities.get(column.name);
  if (!column || value === undefined || value === null) return undefined;
  const [holder] = await findHolders({ bot, table }, column, [encode(column, value)]);
  return holder?.row ? [holder.row] : [];
}

/** Reads whole rows after a scan of some columns. Omits rows deleted meanwhile. */
export const wholeRows = async ({ bot, table }: RowSource, rows: readonly { id: number }[]): Promise<Row[]> =>
  existing(
    await findRows(
      bot.id,
      table.id,
      rows.map(({ id }) => id),
    ),
  );

const existing = (rows: readonly (Row | undefined)[]): Row[] => rows.filter(row => row !== undefined);
