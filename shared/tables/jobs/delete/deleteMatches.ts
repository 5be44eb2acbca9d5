/** Deleting the rows that a filter matches, a stretch of the table at a time: so that it can end between any two. */
import { removeRows } from '#shared/dynamodb/tables/rowWrites.ts';
import { matchingIds, type RowSource } from '#shared/tables/find/findRows.ts';
import type { Filter } from '#shared/tables/query/filter.ts';

/** So many ids are looked through at once, however few of them match. */
const STRETCH = 20_000;

/**
 * @param range of ids, both included
 * @param isTimeLeft whether another stretch may begin; the first always does
 * @returns how many rows were deleted, and from which id on it is still to be done, if it is
 */
export async function deleteMatches(
  { bot, table }: Pick<RowSource, 'bot' | 'table'>,
  filter: Filter,
  range: { from: number; to: number },
  isTimeLeft: () => boolean,
): Promise<{ deletedRows: number; next: number | undefined }> {
  let deletedRows = 0;
  for (let from = range.from; from <= range.to; from += STRETCH) {
    if (from > range.from && !isTimeLeft()) return { deletedRows, next: from };
    const lastId = Math.min(range.to, from + STRETCH - 1);
    for await (const ids of matchingIds({ bot, table, lastId }, filter, from)) {
      if (deletedRows > 0 && !isTimeLeft()) return { deletedRows, next: ids[0]! };
      deletedRows += (await removeRows(bot.id, table.id, ids)).length;
    }
  }
  return { deletedRows, next: undefined };
}
