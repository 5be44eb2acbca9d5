import { ApiError } from '#shared/core/errors.ts';
import type { Filter } from '#shared/domain/tables/query/filter.ts';
import { matchRows } from '#shared/domain/tables/reading/matchRows.ts';
import { valueReader } from '#shared/domain/tables/reading/scan.ts';
import type { Page, RowSource } from '#shared/domain/tables/reading/source.ts';
import type { RowSearch } from '#shared/domain/tables/search/openRowSearch.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import { findRows } from '#shared/storage/dynamodb/tables/rowReads.ts';
import { type PagePlan, planPage, type Search } from './plan.ts';
import { readPage } from './readPage.ts';

/** Searches rows by meaning: the closest first, then all other rows by id. See docs/api/tables.md#table-filters. */
export async function searchRows(source: RowSource, plan: PagePlan, { text, adds }: Search): Promise<Page> {
  try {
    // Loads the AWS clients for search only when needed.
    const { openRowSearch } = await import('#shared/domain/tables/search/openRowSearch.ts');
    const search = await openRowSearch(source, text);
    return adds === 'closestFirst'
      ? await closestFirst(source, plan, search)
      : await withSimilarities(await readPage(source, plan), search);
  } catch (error) {
    // `instanceof` fails: the lazy bundle has its own copy of the class.
    if (!(error instanceof Error && error.name === 'ThrottledError')) throw error;
    throw new ApiError('RateLimited', 'The search is overloaded. Try again later.', { cause: error });
  }
}

async function withSimilarities(page: Page, search: RowSearch): Promise<Page> {
  return { ...page, similarities: await search.similarities(page.rows.map(({ id }) => id)) };
}

async function closestFirst(source: RowSource, plan: PagePlan, search: RowSearch): Promise<Page> {
  const { bot, table } = source;
  const { filter, order, offset, limit } = plan;
  const closest = await search.closest();
  const valuesOf = valueReader(table, filter.columns);
  const rows = await findRows(bot.id, table.id, [...closest.keys()]);
  const found = rows.filter((row): row is Row => row !== undefined);
  const matching = (await matchRows(found, filter, valuesOf, source.deadlineMs)).map(({ row }) => row);
  const first = matching.slice(offset, offset + limit);
  if (first.length === limit && matching.length > offset + limit) {
    return { rows: first, hasMore: true, warnings: [], similarities: closest };
  }
  const isListed = new Set(matching.map(({ id }) => id));
  const others: Filter = {
    ...filter,
    columns: new Set([...filter.columns, 'id']),
    matches: values => !isListed.has(values.id as number) && filter.matches(values),
  };
  const window = { offset: Math.max(0, offset - matching.length), limit: Math.max(1, limit - first.length) };
  const rest = await readPage(source, planPage(source, window, others, order));
  const isFull = first.length === limit;
  const similarities = await search.similarities(rest.rows.map(({ id }) => id));
  return {
    rows: isFull ? first : [...first, ...rest.rows],
    hasMore: isFull ? rest.rows.length > 0 : rest.hasMore,
    warnings: rest.warnings,
    similarities: new Map([...similarities, ...closest]),
  };
}
