import type { Filter } from '#shared/domain/tables/query/filter.ts';
import type { RowSource } from '#shared/domain/tables/reading/source.ts';
import { findHolders } from '#shared/domain/tables/rows/keyHolders.ts';
import { encode } from '#shared/domain/tables/schema/values.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import { findRows } from '#shared/storage/dynamodb/tables/rowReads.ts';
import { keyColumnOf } from '#shared/storage/dynamodb/tables/tables.ts';

/**
 * The only rows a filter can match, when it names ids or a value of the key column. The filter may still reject them.
 * @returns undefined when the filter does not narrow the rows down, and the table has to be scanned
 */
export async function lookUpRows({ bot, table }: RowSource, filter: Filter): Promise<Row[] | undefined> {
  if (filter.idList) return existing(await findRows(bot.id, table.id, filter.idList));
  const column = keyColumnOf(table);
  const value = column && filter.equalities.get(column.name);
  if (!column || value === undefined || value === null) return undefined;
  const [holder] = await findHolders({ bot, table }, column, [encode(column, value)]);
  return holder?.row ? [holder.row] : [];
}

/** Reads rows in full of which a scan read only some columns. Rows deleted meanwhile are left out. */
export const wholeRows = async ({ bot, table }: RowSource, rows: readonly { id: number }[]): Promise<Row[]> =>
  existing(
    await findRows(
      bot.id,
      table.id,
      rows.map(({ id }) => id),
    ),
  );

const existing = (rows: readonly (Row | undefined)[]): Row[] => rows.filter(row => row !== undefined);
