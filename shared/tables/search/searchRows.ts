/**
 * Searching rows: the closest ones come first, and the others after them by their id, as the contract has it that all rows
 * are answered and `similarity` says how close each is. Rows that are not indexed yet have no similarity.
 */

import { findRows } from '#shared/dynamodb/tables/rowReads.ts';
import { type Row } from '#shared/dynamodb/tables/row.ts';
import { ApiError, invalidPayload } from '#shared/errors.ts';
import { findPage, type Page, type RowQuery, valueReader, type RowSource } from '#shared/tables/find/findRows.ts';
import type { Filter } from '#shared/tables/query/filter.ts';
import type { Order } from '#shared/tables/query/order.ts';
import type { RowSearch } from './openRowSearch.ts';
import { isSearchable } from './rowIndex.ts';

/**
 * @throws ApiError InvalidPayload when no column is searchable, RateLimited when the service that embeds or keeps vectors
 * asks to come back later
 */
export async function searchRows(
  source: RowSource,
  query: RowQuery & { search: string },
  filter: Filter,
  order: Order,
): Promise<Page> {
  if (!isSearchable(source.table)) {
    throw invalidPayload('No column of this table is searchable: set searchable in the x-zui of one.', 'search');
  }
  try {
    // The clients that it needs are loaded only by who searches.
    const { openRowSearch } = await import('./openRowSearch.ts');
    const search = await openRowSearch(source, query.search);
    // Whoever says how rows are ordered is told how close they are, and nothing else.
    return query.orderBy === undefined
      ? await closestFirst(source, query, filter, order, search)
      : await withSimilarities(await findPage(source, query, filter, order), search);
  } catch (error) {
    // Loaded in a file of its own, it has a class of its own.
    if (!(error instanceof Error && error.name === 'Throttled')) throw error;
    throw new ApiError('RateLimited', 'The search is overloaded. Try again.', { cause: error });
  }
}

async function withSimilarities(page: Page, search: RowSearch): Promise<Page> {
  return { ...page, similarities: await search.similarities(page.rows.map(({ id }) => id)) };
}

async function closestFirst(
  source: RowSource,
  query: RowQuery,
  filter: Filter,
  order: Order,
  search: RowSearch,
): Promise<Page> {
  const { bot, table } = source;
  const { offset, limit } = query;
  const closeness = await search.closest();
  const valuesOf = valueReader(table, filter.columns);
  // In the order of their closeness; one that changed since is not indexed as it is.
  const rows = await findRows(bot.id, table.id, [...closeness.keys()]);
  const close = rows.filter((row): row is Row => row !== undefined && filter.matches(valuesOf(row)));
  const first = close.slice(offset, offset + limit);
  if (first.length === limit && close.length > offset + limit) {
    return { rows: first, hasMore: true, warnings: [], similarities: closeness };
  }
  const isClose = new Set(close.map(({ id }) => id));
  const others: Filter = {
    ...filter,
    columns: new Set([...filter.columns, 'id']),
    matches: values => !isClose.has(values.id as number) && filter.matches(values),
  };
  const rest = await findPage(
    source,
    { ...query, offset: Math.max(0, offset - close.length), limit: Math.max(1, limit - first.length) },
    others,
    order,
  );
  const isFull = first.length === limit;
  const similarities = await search.similarities(rest.rows.map(({ id }) => id));
  return {
    rows: isFull ? first : [...first, ...rest.rows],
    hasMore: isFull ? rest.rows.length > 0 : rest.hasMore,
    warnings: rest.warnings,
    similarities: new Map([...similarities, ...closeness]),
  };
}
