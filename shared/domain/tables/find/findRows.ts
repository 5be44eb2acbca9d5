/**
 * Finds rows, with as little reading as the query allows.
 *
 * | query                               | reads                                                                    |
 * |-------------------------------------|--------------------------------------------------------------------------|
 * | filter on ids                       | these rows                                                               |
 * | filter on a value of the key column | its entry, then the row it points to                                     |
 * | order by id, no filter              | rows in order, up to the end of the page                                 |
 * | order by id, with a filter          | columns of the filter in order, up to the end of the page; then its rows |
 * | order by another column             | columns of order and filter in all rows, keeping the best; then its rows |
 * | groups                              | columns of groups and filter in all rows                                 |
 *
 * A scan of all rows reads the table's partitions in parallel, with one page of each in memory.
 */
import { invalidPayload } from '#shared/core/errors.ts';
import { parseFilter } from '#shared/domain/tables/query/filter.ts';
import { parseOrder } from '#shared/domain/tables/query/order.ts';
import { parseSelect, type Selection } from '#shared/domain/tables/query/select.ts';
import type { Page, RowQuery, RowSource } from '#shared/domain/tables/reading/source.ts';
import { type RowView, viewRow } from '#shared/domain/tables/rows/view.ts';
import type { Values } from '#shared/domain/tables/schema/values.ts';
import { findGroups } from './findGroups.ts';
import { findPage } from './findPage.ts';
import { searchRows } from './searchRows.ts';

export interface QueryResult {
  rows: (RowView | Values)[];
  hasMore: boolean;
  warnings: string[];
}

export async function queryRows(source: RowSource, query: RowQuery): Promise<QueryResult> {
  const { columns } = source.table;
  const filter = parseFilter(query.filter ?? {}, columns);
  const selection = parseSelect(query.select, columns);
  if (query.group) {
    if (query.search !== undefined) throw invalidPayload('Groups cannot be searched. Omit search or group.', 'search');
    return findGroups(source, query, filter);
  }
  const order = parseOrder(query, columns);
  const page =
    query.search === undefined
      ? await findPage(source, query, filter, order)
      : await searchRows(source, { ...query, search: query.search }, filter, order);
  return viewPage(source, page, query, selection);
}

/** The JSON of the rows. Lambda limits a response to 6 MB. */
const ANSWER_BYTES = 4 * 1024 * 1024;

function viewPage(
  { table }: RowSource,
  page: Page,
  { limit }: RowQuery,
  selection: Selection | undefined,
): QueryResult {
  const rows: RowView[] = [];
  let bytes = 0;
  for (const row of page.rows) {
    const view = viewRow(table, row, { pick: selection?.pick, similarity: page.similarities?.get(row.id) });
    bytes += Buffer.byteLength(JSON.stringify(view));
    if (bytes > ANSWER_BYTES && rows.length > 0) {
      const text = `Only ${rows.length} of ${Math.min(limit, page.rows.length)} rows fit into a response of ${ANSWER_BYTES} bytes. Continue at the returned offset + limit, or select fewer columns.`;
      return { rows, hasMore: true, warnings: [...page.warnings, text] };
    }
    rows.push(view);
  }
  return { rows, hasMore: page.hasMore, warnings: page.warnings };
}
