import { invalidPayload } from '#shared/core/errors.ts';
import type { Filter } from '#shared/domain/tables/query/filter.ts';
import type { Order, Ordered } from '#shared/domain/tables/query/order.ts';
import { TopRows } from '#shared/domain/tables/query/topRows.ts';
import { matchRows, restIfDue } from '#shared/domain/tables/reading/matchRows.ts';
import { columnIds, idRange, valueReader } from '#shared/domain/tables/reading/scan.ts';
import { ScanClock } from '#shared/domain/tables/reading/scanClock.ts';
import type { Page, RowQuery, RowSource } from '#shared/domain/tables/reading/source.ts';
import { pageInFile } from '#shared/domain/tables/snapshot/findInFile.ts';
import { queryFromSnapshot } from '#shared/domain/tables/snapshot/openFiles.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import { rowsInOrder, type ScanOptions, visitRows } from '#shared/storage/dynamodb/tables/rowReads.ts';
import { lookUpRows, wholeRows } from './lookUpRows.ts';

/** Bounds memory when sorting by a column other than id. */
const SORTED_LIMIT = 100_000;
/** Offset up to which a query without a filter reads rows rather than the snapshot. */
const OFFSET_READ = 1_000;
const NO_ROWS: Page = { rows: [], hasMore: false, warnings: [] };

export async function findPage(source: RowSource, query: RowQuery, filter: Filter, order: Order): Promise<Page> {
  const candidates = await lookUpRows(source, filter);
  if (candidates) return pageOf(source, candidates, query, filter, order);
  if (!order.isById) requireSortable(query);
  const { columns } = source.table;
  const isScan = !order.isById || filter.columns.size > 0 || query.offset > OFFSET_READ;
  const inFile = await queryFromSnapshot(source, isScan, file => pageInFile(file, columns, query, filter, order));
  if (inFile) return { ...inFile, warnings: [] };
  return order.isById ? pageById(source, query, filter, order) : pageByColumn(source, query, filter, order);
}

function requireSortable({ offset, limit }: RowQuery): void {
  if (offset + limit <= SORTED_LIMIT) return;
  throw invalidPayload(
    `Rows ordered by a column other than id can be paged up to row ${SORTED_LIMIT}. Narrow them down with a filter.`,
    'offset',
  );
}

async function pageOf(
  { table, deadlineMs }: RowSource,
  rows: readonly Row[],
  { offset, limit }: RowQuery,
  filter: Filter,
  order: Order,
): Promise<Page> {
  const valuesOf = valueReader(table, new Set([...filter.columns, order.column]));
  const matching = (await matchRows(rows, filter, valuesOf, deadlineMs))
    .map(({ row, values }) => ({ row, id: row.id, key: order.keyOf(values) }))
    .sort(order.compare);
  return {
    rows: matching.slice(offset, offset + limit).map(({ row }) => row),
    hasMore: matching.length > offset + limit,
    warnings: [],
  };
}

async function pageById(source: RowSource, { offset, limit }: RowQuery, filter: Filter, order: Order): Promise<Page> {
  const { bot, table, lastId } = source;
  const { from, to } = idRange(source, filter);
  if (from > to) return NO_ROWS;
  // Without a filter, rows before the page are counted but not read in full.
  const isFiltered = filter.columns.size > 0;
  const isWhole = !isFiltered && offset === 0;
  const needed = offset + limit + 1;
  using clock = new ScanClock(source.deadlineMs);
  const options: ScanOptions = {
    from,
    to,
    direction: order.isDescending ? 'desc' : 'asc',
    columns: isWhole ? undefined : columnIds(table.columns, filter.columns),
    pageSize: isFiltered ? undefined : Math.max(needed, 20),
    signal: clock.signal,
  };
  const valuesOf = valueReader(table, filter.columns);
  const rows: Row[] = [];
  let matches = 0;
  let visitedId: number | undefined;
  for await (const row of rowsInOrder(bot.id, table.id, lastId, options)) {
    visitedId = row.id;
    const isMatch = !isFiltered || filter.matches(valuesOf(row));
    if (isMatch && ++matches > offset) rows.push(row);
    if (matches === needed && isMatch) break;
    const ticked = clock.tickAfter(restIfDue(filter));
    // Await only when necessary: a promise per row costs more than the match.
    if (typeof ticked === 'object' ? await ticked : ticked) break;
  }
  const page = rows.slice(0, limit);
  const canContinue = visitedId !== undefined && offset === 0 && rows.length === page.length;
  const beyond = order.isDescending ? '$lt' : '$gt';
  const advice = canContinue ? `Continue with the filter {"id":{"${beyond}":${visitedId}}}.` : undefined;
  return {
    rows: isWhole ? page : await wholeRows(source, page),
    hasMore: rows.length > limit || clock.isUp,
    warnings: clock.warnings(advice),
  };
}

async function pageByColumn(
  source: RowSource,
  { offset, limit }: RowQuery,
  filter: Filter,
  order: Order,
): Promise<Page> {
  const { bot, table, lastId } = source;
  const { from, to } = idRange(source, filter);
  if (from > to) return NO_ROWS;
  const names = new Set([...filter.columns, order.column]);
  const valuesOf = valueReader(table, names);
  const top = new TopRows<Ordered>(order.compare, offset + limit + 1);
  using clock = new ScanClock(source.deadlineMs);
  const { signal } = clock;
  const options: ScanOptions = { from, to, direction: 'asc', columns: columnIds(table.columns, names), signal };
  await visitRows(bot.id, table.id, lastId, options, row => {
    const values = valuesOf(row);
    if (filter.matches(values)) top.add({ id: row.id, key: order.keyOf(values) });
    return clock.tickAfter(restIfDue(filter));
  });
  const best = top.take();
  return {
    rows: await wholeRows(source, best.slice(offset, offset + limit)),
    hasMore: best.length > offset + limit,
    warnings: clock.warnings(),
  };
}
