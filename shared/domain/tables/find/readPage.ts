import type { Ordered } from '#shared/domain/tables/query/rowOrder.ts';
import { TopRows } from '#shared/domain/tables/query/topRows.ts';
import { matchRows, yieldIfDue } from '#shared/domain/tables/reading/matchRows.ts';
import { columnIds, valueReader } from '#shared/domain/tables/reading/scan.ts';
import { ScanClock } from '#shared/domain/tables/reading/scanClock.ts';
import type { Page, RowSource } from '#shared/domain/tables/reading/source.ts';
import { pageInFile } from '#shared/domain/tables/snapshot/findInFile.ts';
import { queryFromSnapshot } from '#shared/domain/tables/snapshot/openFiles.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import { rowsInOrder, type ScanOptions, visitRows } from '#shared/storage/dynamodb/tables/rowReads.ts';
import { logTimeout } from './logTimeout.ts';
import { lookUpRows, readFullRows } from './lookUpRows.ts';
import { explain, type InIdOrder, type Lookup, type PagePlan, type Scan } from './plan.ts';

const NO_ROWS: Page = { rows: [], hasMore: false, warnings: [] };

export async function readPage(source: RowSource, plan: PagePlan): Promise<Page> {
  const { access, filter, order } = plan;
  if (access.by === 'ids' || access.by === 'key') return readLookup(source, plan, access);
  const ofSnapshot = await queryFromSnapshot(source, access.snapshot === 'load', file =>
    pageInFile(file, source.table.columns, plan, filter, order),
  );
  if (ofSnapshot) return { ...ofSnapshot, warnings: [] };
  if (access.from > access.to) return NO_ROWS;
  return access.by === 'idOrder' ? readInIdOrder(source, plan, access) : scan(source, plan, access);
}

async function readLookup(
  source: RowSource,
  { filter, order, offset, limit }: PagePlan,
  lookup: Lookup,
): Promise<Page> {
  const { table, deadlineMs } = source;
  const valuesOf = valueReader(table, new Set([...filter.columns, order.column]));
  const matching = (await matchRows(await lookUpRows(source, lookup), filter, valuesOf, deadlineMs))
    .map(({ row, values }) => ({ row, id: row.id, key: order.keyOf(values) }))
    .sort(order.compare);
  return {
    rows: matching.slice(offset, offset + limit).map(({ row }) => row),
    hasMore: matching.length > offset + limit,
    warnings: [],
  };
}

async function readInIdOrder(source: RowSource, plan: PagePlan, access: InIdOrder): Promise<Page> {
  const { bot, table, lastId } = source;
  const { filter, offset, limit } = plan;
  const isFiltered = filter.columns.size > 0;
  const needed = offset + limit + 1;
  using clock = new ScanClock(source.deadlineMs);
  const options: ScanOptions = {
    from: access.from,
    to: access.to,
    direction: access.direction,
    columns: access.columns === 'all' ? undefined : columnIds(table.columns, new Set(access.columns)),
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
    const ticked = clock.tickAfter(yieldIfDue(filter));
    // Await only when necessary: a promise per row costs more than the match.
    if (typeof ticked === 'object' ? await ticked : ticked) break;
  }
  const page = rows.slice(0, limit);
  const canContinue = visitedId !== undefined && offset === 0 && rows.length === page.length;
  const beyond = access.direction === 'desc' ? '$lt' : '$gt';
  const advice = canContinue ? `Continue with the filter {"id":{"${beyond}":${visitedId}}}.` : undefined;
  if (clock.isUp) logTimeout(table, explain(plan));
  return {
    rows: access.columns === 'all' ? page : await readFullRows(source, page),
    hasMore: rows.length > limit || clock.isUp,
    warnings: clock.warnings(advice),
  };
}

async function scan(source: RowSource, plan: PagePlan, { from, to, columns }: Scan): Promise<Page> {
  const { bot, table, lastId } = source;
  const { filter, order, offset, limit } = plan;
  const names = new Set(columns);
  const valuesOf = valueReader(table, names);
  const top = new TopRows<Ordered>(order.compare, offset + limit + 1);
  using clock = new ScanClock(source.deadlineMs);
  const { signal } = clock;
  const options: ScanOptions = { from, to, direction: 'asc', columns: columnIds(table.columns, names), signal };
  await visitRows(bot.id, table.id, lastId, options, row => {
    const values = valuesOf(row);
    if (filter.matches(values)) top.add({ id: row.id, key: order.keyOf(values) });
    return clock.tickAfter(yieldIfDue(filter));
  });
  const best = top.take();
  if (clock.isUp) logTimeout(table, explain(plan));
  return {
    rows: await readFullRows(source, best.slice(offset, offset + limit)),
    hasMore: best.length > offset + limit,
    warnings: clock.warnings(),
  };
}
