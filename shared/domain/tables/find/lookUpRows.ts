import type { RowSource } from '#shared/domain/tables/reading/source.ts';
import { findHolders } from '#shared/domain/tables/rows/keyHolders.ts';
import { encode } from '#shared/domain/tables/schema/rowValues.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import { findRows } from '#shared/storage/dynamodb/tables/rowReads.ts';
import { keyColumnOf } from '#shared/storage/dynamodb/tables/tables.ts';
import type { Lookup } from './plan.ts';

export async function lookUpRows({ bot, table }: RowSource, lookup: Lookup): Promise<Row[]> {
  if (lookup.by === 'ids') return existing(await findRows(bot.id, table.id, lookup.ids));
  const column = keyColumnOf(table)!;
  const [holder] = await findHolders({ bot, table }, column, [encode(column, lookup.value)]);
  return holder?.row ? [holder.row] : [];
}

/** Reads whole rows after a scan of some columns. Omits rows deleted meanwhile. */
export const readFullRows = async ({ bot, table }: RowSource, rows: readonly { id: number }[]): Promise<Row[]> =>
  existing(
    await findRows(
      bot.id,
      table.id,
      rows.map(({ id }) => id),
    ),
  );

const existing = (rows: readonly (Row | undefined)[]): Row[] => rows.filter(row => row !== undefined);
