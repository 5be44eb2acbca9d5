/**
 * Finding rows: how a query is answered with as little reading as it allows.
 *
 * | what is asked for                    | how it is answered                                                          |
 * |--------------------------------------|-----------------------------------------------------------------------------|
 * | ids                                  | these rows, and no others                                                   |
 * | a value of the key column            | its entry, and the row to which that leads                                  |
 * | by id, without a filter              | in order, until there are enough                                            |
 * | by id, with a filter                 | the filter's columns in order, until there are enough; then the rows        |
 * | by another column                    | its and the filter's columns of all rows, the best kept; then the rows      |
 * | groups                               | their and the filter's columns of all rows                                  |
 *
 * What reads all rows reads the parts of the table at the same time, and never has more of them in memory than a page each.
 */

import { iso } from '#shared/api/views.ts';
import type { Column } from '#shared/dynamodb/tables/column.ts';
import { findRows, type ScanOptions, rowsInOrder, visitRows } from '#shared/dynamodb/tables/rowReads.ts';
import { type Row } from '#shared/dynamodb/tables/row.ts';
import { keyColumnOf, type Table } from '#shared/dynamodb/tables/tables.ts';
import { ApiError, invalidPayload } from '#shared/errors.ts';
import { type Filter, parseFilter } from '#shared/tables/query/filter.ts';
import { parseGroup } from '#shared/tables/query/group.ts';
import { type Order, type Ordered, parseOrder } from '#shared/tables/query/order.ts';
import { parseSelect, type Selection } from '#shared/tables/query/select.ts';
import { TopRows } from '#shared/tables/query/topRows.ts';
import { findHolders } from '#shared/tables/rows/keyHolders.ts';
import { decode, encode, type Values } from '#shared/tables/rows/values.ts';
import { searchRows } from '#shared/tables/search/searchRows.ts';
import { type RowView, viewRow } from '#shared/tables/view.ts';

export interface RowQuery {
  limit: number;
  offset: number;
  filter?: Record<string, unknown> | undefined;
  group?: Record<string, unknown> | undefined;
  search?: string | undefined;
  select?: string[] | undefined;
  orderBy?: string | undefined;
  orderDirection?: 'asc' | 'desc' | undefined;
}

export interface QueryResult {
  rows: (RowView | Values)[];
  hasMore: boolean;
  warnings: string[];
}

/** Where rows are looked for. */
export interface RowSource {
  bot: { id: string; workspaceId: string };
  table: Table;
  /** The last id that the table gave to a row. */
  lastId: number;
  /** When looking must end. */
  deadlineMs: number;
}

/** An order by another column keeps so many rows in memory. */
const SORTED_LIMIT = 100_000;
/** Rows that are answered, as JSON: within what a function can answer. */
const ANSWER_BYTES = 4 * 1024 * 1024;

/** @throws ApiError InvalidPayload */
export async function queryRows(source: RowSource, query: RowQuery): Promise<QueryResult> {
  const { table } = source;
  const filter = parseFilter(query.filter ?? {}, table.columns);
  const selection = parseSelect(query.select, table.columns);
  if (query.group) {
    if (query.search !== undefined) throw invalidPayload('Groups are not searched: leave out one of both.', 'search');
    return findGroups(source, query, filter);
  }
  const order = parseOrder(query, table.columns);
  if (query.search !== undefined) {
    const found = await searchRows(source, { ...query, search: query.search }, filter, order);
    return answer(source, found, query, selection);
  }
  return answer(source, await findPage(source, query, filter, order), query, selection);
}

/** The rows of a page and one more, if there is one. */
export interface Page {
  rows: Row[];
  hasMore: boolean;
  warnings: string[];
  similarities?: ReadonlyMap<number, number>;
}

/** Looks for rows by a filter, in an order. */
export async function findPage(source: RowSource, query: RowQuery, filter: Filter, order: Order): Promise<Page> {
  const few = await lookUpRows(source, filter);
  if (few) return pageOfLookup(source.table, few, query, filter, order);
  return order.isById ? pageById(source, query, filter, order) : pageByColumn(source, query, filter, order);
}

/** All rows that can match, where the filter says which ones these are. */
async function lookUpRows({ bot, table }: RowSource, filter: Filter): Promise<Row[] | undefined> {
  if (filter.idList) return present(await findRows(bot.id, table.id, filter.idList));
  const column = keyColumnOf(table);
  const value = column && filter.equalities.get(column.name);
  if (!column || value === undefined || value === null) return undefined;
  const [holder] = await findHolders({ bot, table }, column, [encode(column, value)]);
  return holder?.row ? [holder.row] : [];
}

const present = (rows: readonly (Row | undefined)[]): Row[] => rows.filter(row => row !== undefined);

function pageOfLookup(table: Table, rows: readonly Row[], { offset, limit }: RowQuery, filter: Filter, order: Order): Page {
  const valuesOf = valueReader(table, new Set([...filter.columns, order.column]));
  const matching = rows
    .map(row => ({ row, id: row.id, values: valuesOf(row) }))
    .filter(({ values }) => filter.matches(values))
    .map(({ row, id, values }) => ({ row, id, key: order.keyOf(values) }))
    .sort(order.compare);
  return {
    rows: matching.slice(offset, offset + limit).map(({ row }) => row),
    hasMore: matching.length > offset + limit,
    warnings: [],
  };
}

/** How the values of a row are read that some names stand for: columns, and what every row has. */
export function valueReader(table: Table, names: ReadonlySet<string>): (row: Row) => Values {
  const columns = table.columns.filter(({ name }) => names.has(name));
  const [hasCreated, hasUpdated] = [names.has('createdAt'), names.has('updatedAt')];
  return row => {
    const values: Values = Object.create(null);
    values.id = row.id;
    if (hasCreated) values.createdAt = iso(row.createdAtMs);
    if (hasUpdated) values.updatedAt = iso(row.updatedAtMs);
    for (const column of columns) {
      const text = row.values[column.id];
      values[column.name] = text === undefined ? null : decode(column, text);
    }
    return values;
  };
}

const idsOf = (columns: readonly Column[], names: ReadonlySet<string>) =>
  columns.filter(({ name }) => names.has(name)).map(({ id }) => id);

const rangeOf = ({ lastId }: RowSource, { ids }: Filter) => ({
  from: Math.max(1, ids?.from ?? 1),
  to: Math.min(lastId, ids?.to ?? lastId),
});

/** Looking ends in time, with what was found by then. */
class ScanClock {
  #looked = 0;
  readonly #deadlineMs: number;
  readonly #end = new AbortController();
  readonly #timer: NodeJS.Timeout;
  /** Ends a read that is under way. */
  readonly signal = this.#end.signal;

  constructor(deadlineMs: number) {
    this.#deadlineMs = deadlineMs;
    this.#timer = setTimeout(() => this.#end.abort(), Math.max(0, deadlineMs - Date.now()));
  }
  [Symbol.dispose]() {
    clearTimeout(this.#timer);
  }
  get isUp(): boolean {
    return this.signal.aborted;
  }
  /** Called for each row. @returns whether time is up: rows that are in memory are looked at without the timer's turn */
  tick(): boolean {
    if (++this.#looked % 256 === 0 && Date.now() > this.#deadlineMs) this.#end.abort();
    return this.isUp;
  }
  /** @param advice how the rest is found */
  warnings(advice = "A filter on id or on the table's key column reads fewer rows."): string[] {
    if (!this.isUp) return [];
    return [
      `The time of this call was up when ${this.#looked} rows had been read in search of those that match: the result is of these only. ${advice}`,
    ];
  }
}

async function pageById(source: RowSource, { offset, limit }: RowQuery, filter: Filter, order: Order): Promise<Page> {
  const { bot, table, lastId } = source;
  const { from, to } = rangeOf(source, filter);
  if (from > to) return { rows: [], hasMore: false, warnings: [] };
  // Without a filter every row counts, and those before the page need not be read whole.
  const isFiltered = filter.columns.size > 0;
  const isWhole = !isFiltered && offset === 0;
  const needed = offset + limit + 1;
  using clock = new ScanClock(source.deadlineMs);
  const reading: ScanOptions = {
    from,
    to,
    direction: order.isDescending ? 'desc' : 'asc',
    columns: isWhole ? undefined : idsOf(table.columns, filter.columns),
    pageSize: isFiltered ? undefined : Math.max(needed, 20),
    signal: clock.signal,
  };
  const valuesOf = valueReader(table, filter.columns);
  const rows: Row[] = [];
  let matches = 0;
  let lookedAt: number | undefined;
  for await (const row of rowsInOrder(bot.id, table.id, lastId, reading)) {
    lookedAt = row.id;
    if (isFiltered && !filter.matches(valuesOf(row))) {
      if (clock.tick()) break;
      continue;
    }
    if (++matches > offset) rows.push(row);
    if (matches === needed || clock.tick()) break;
  }
  const page = rows.slice(0, limit);
  const canGoOn = lookedAt !== undefined && offset === 0 && rows.length === page.length;
  const beyond = order.isDescending ? '$lt' : '$gt';
  const advice = canGoOn ? `Go on with a filter {"id":{"${beyond}":${lookedAt}}}.` : undefined;
  return {
    rows: isWhole ? page : await wholeRows(source, page),
    hasMore: rows.length > limit || clock.isUp,
    warnings: clock.warnings(advice),
  };
}

/** Rows of which only columns were read, in full; without those that are gone by now. */
const wholeRows = async ({ bot, table }: RowSource, rows: readonly { id: number }[]): Promise<Row[]> =>
  present(
    await findRows(
      bot.id,
      table.id,
      rows.map(({ id }) => id),
    ),
  );

async function pageByColumn(source: RowSource, { offset, limit }: RowQuery, filter: Filter, order: Order): Promise<Page> {
  const { bot, table, lastId } = source;
  if (offset + limit > SORTED_LIMIT) {
    throw invalidPayload(
      `Rows that are ordered by another column than id are paged through up to the ${SORTED_LIMIT}th: use a filter.`,
      'offset',
    );
  }
  const { from, to } = rangeOf(source, filter);
  if (from > to) return { rows: [], hasMore: false, warnings: [] };
  const names = new Set([...filter.columns, order.column]);
  const valuesOf = valueReader(table, names);
  const top = new TopRows<Ordered>(order.compare, offset + limit + 1);
  using clock = new ScanClock(source.deadlineMs);
  const { signal } = clock;
  const reading: ScanOptions = { from, to, direction: 'asc', columns: idsOf(table.columns, names), signal };
  await visitRows(bot.id, table.id, lastId, reading, row => {
    const values = valuesOf(row);
    if (filter.matches(values)) top.add({ id: row.id, key: order.keyOf(values) });
    return clock.tick();
  });
  const best = top.take();
  return {
    rows: await wholeRows(source, best.slice(offset, offset + limit)),
    hasMore: best.length > offset + limit,
    warnings: clock.warnings(),
  };
}

async function findGroups(source: RowSource, query: RowQuery, filter: Filter): Promise<QueryResult> {
  const { bot, table, lastId } = source;
  const grouping = parseGroup(query.group, table.columns, query);
  const names = new Set([...filter.columns, ...grouping.columns]);
  const valuesOf = valueReader(table, names);
  using clock = new ScanClock(source.deadlineMs);
  const visit = (row: Row) => {
    const values = valuesOf(row);
    if (filter.matches(values)) grouping.add(values);
    return clock.tick();
  };
  const few = await lookUpRows(source, filter);
  const { from, to } = rangeOf(source, filter);
  if (few) few.forEach(visit);
  else if (from <= to) {
    const { signal } = clock;
    const reading: ScanOptions = { from, to, direction: 'asc', columns: idsOf(table.columns, names), signal };
    await visitRows(bot.id, table.id, lastId, reading, visit);
  }
  const { rows, hasMore } = grouping.rows(query.offset, query.limit);
  const cut = grouping.wasCut
    ? ['There are more groups, or different values in them, than are kept in memory: what came later was left out.']
    : [];
  return { rows, hasMore, warnings: [...clock.warnings(), ...cut] };
}

/** What is shown of the rows of a page, as far as an answer can carry it. */
function answer({ table }: RowSource, page: Page, { limit }: RowQuery, selection: Selection | undefined): QueryResult {
  const rows: RowView[] = [];
  let bytes = 0;
  for (const row of page.rows) {
    const view = viewRow(table, row, { pick: selection?.pick, similarity: page.similarities?.get(row.id) });
    bytes += Buffer.byteLength(JSON.stringify(view));
    if (bytes > ANSWER_BYTES && rows.length > 0) {
      const text = `Only ${rows.length} of ${Math.min(limit, page.rows.length)} rows fit into an answer of ${ANSWER_BYTES} bytes: go on at offset + limit as answered, or select fewer columns.`;
      return { rows, hasMore: true, warnings: [...page.warnings, text] };
    }
    rows.push(view);
  }
  return { rows, hasMore: page.hasMore, warnings: page.warnings };
}

/** The ids of all rows that a filter matches, a batch at a time. @param isTimeLeft false ends it */
export async function* matchingIds(
  { bot, table, lastId }: Pick<RowSource, 'bot' | 'table' | 'lastId'>,
  filter: Filter,
  from = 1,
): AsyncGenerator<number[]> {
  const to = Math.min(lastId, filter.ids?.to ?? lastId);
  const first = Math.max(from, filter.ids?.from ?? 1);
  if (first > to) return;
  const valuesOf = valueReader(table, filter.columns);
  const reading: ScanOptions = { from: first, to, direction: 'asc', columns: idsOf(table.columns, filter.columns) };
  let batch: number[] = [];
  for await (const row of rowsInOrder(bot.id, table.id, lastId, reading)) {
    if (filter.matches(valuesOf(row))) batch.push(row.id);
    if (batch.length < MATCHES_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
const MATCHES_AT_ONCE = 500;

/**
 * Visits all rows of a table, of which it reads these columns.
 * @param visit what it returns true for ends it
 * @returns whether there was time for all
 */
export async function scanAll(
  { bot, table, lastId, deadlineMs }: RowSource,
  columns: readonly string[],
  visit: (row: Row) => boolean,
): Promise<boolean> {
  using clock = new ScanClock(deadlineMs);
  const { signal } = clock;
  const reading: ScanOptions = { from: 1, to: Math.max(1, lastId), direction: 'asc', columns, signal };
  await visitRows(bot.id, table.id, lastId, reading, row => visit(row) || clock.tick());
  return !clock.isUp;
}

/**
 * The ids of the rows that have one of these values in a column, by the value. Values are as rows keep them.
 * @throws ApiError LimitExceeded when the table has more rows than there is time for
 */
export async function idsByValue(
  source: RowSource,
  column: Column,
  values: ReadonlySet<string>,
): Promise<Map<string, number[]>> {
  const ids = new Map<string, number[]>();
  const isAll = await scanAll(source, [column.id], row => {
    const value = row.values[column.id];
    if (value !== undefined && values.has(value)) ids.set(value, [...(ids.get(value) ?? []), row.id]);
    return false;
  });
  if (!isAll) {
    throw new ApiError(
      'LimitExceeded',
      `The table ${source.table.name} has too many rows to look through them for a value of ${column.name} in one call: give the rows' ids, or make ${column.name} the table's key.`,
    );
  }
  return ids;
}
