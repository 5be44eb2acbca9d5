import type { Filter } from '#shared/domain/tables/query/filter.ts';
import { matchingIds } from '#shared/domain/tables/reading/scan.ts';
import type { RowSource } from '#shared/domain/tables/reading/source.ts';
import { removeLogged } from '#shared/domain/tables/rows/removeLogged.ts';

/** Ids scanned between time checks, even if few match. */
const WINDOW_IDS = 20_000;

/**
 * Deletes matching rows, one window of ids at a time.
 * @returns `next`, the id to continue from, unless the range is finished
 */
export async function deleteMatches(
  { bot, table }: Pick<RowSource, 'bot' | 'table'>,
  filter: Filter,
  range: { from: number; to: number },
  isTimeLeft: () => boolean,
): Promise<{ deletedRows: number; next: number | undefined }> {
  let deletedRows = 0;
  for (let from = range.from; from <= range.to; from += WINDOW_IDS) {
    if (from > range.from && !isTimeLeft()) return { deletedRows, next: from };
    const lastId = Math.min(range.to, from + WINDOW_IDS - 1);
    for await (const ids of matchingIds({ bot, table, lastId }, filter, from)) {
      if (deletedRows > 0 && !isTimeLeft()) return { deletedRows, next: ids[0]! };
      deletedRows += await removeLogged({ bot, table }, ids);
    }
  }
  return { deletedRows, next: undefined };
}
