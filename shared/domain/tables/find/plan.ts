/**
 * Plans how a query reads the rows of a table. A plan contains no rows, and {@link explain} prints it.
 *
 * | query                         | access    | reads                                                      |
 * |-------------------------------|-----------|------------------------------------------------------------|
 * | filter on ids                 | `ids`     | these rows                                                 |
 * | filter on the key column      | `key`     | the entry of the value, then its row                       |
 * | order by id, without a filter | `idOrder` | rows, up to the end of the page                            |
 * | order by id, with a filter    | `idOrder` | columns of the filter, up to the end of the page; its rows |
 * | order by another column       | `scan`    | columns of order and filter in all rows; the page's rows   |
 * | groups                        | `scan`    | columns of groups and filter in all rows                   |
 */
import { invalidPayload } from '#shared/core/errors.ts';
import { type Filter, parseFilter } from '#shared/domain/tables/query/filter.ts';
import { type Grouping, parseGroup } from '#shared/domain/tables/query/group.ts';
import { type Order, parseOrder } from '#shared/domain/tables/query/rowOrder.ts';
import { parseSelect, type Selection } from '#shared/domain/tables/query/select.ts';
import { idRange } from '#shared/domain/tables/reading/scan.ts';
import type { RowQuery, RowSource } from '#shared/domain/tables/reading/source.ts';
import { isSearchable } from '#shared/domain/tables/search/rowIndex.ts';
import { keyColumnOf } from '#shared/storage/dynamodb/tables/tables.ts';

export type Lookup = { by: 'ids'; ids: readonly number[] } | { by: 'key'; column: string; value: unknown };

interface Range {
  from: number;
  to: number;
  /** `load` queries the table's snapshot if there is one, `ifOpen` only if the function has already loaded it. */
  snapshot: 'load' | 'ifOpen';
}
export type InIdOrder = Range & { by: 'idOrder'; direction: 'asc' | 'desc'; columns: readonly string[] | 'all' };
export type Scan = Range & { by: 'scan'; columns: readonly string[] };

export interface PagePlan {
  result: 'page';
  access: Lookup | InIdOrder | Scan;
  filter: Filter;
  order: Order;
  offset: number;
  limit: number;
}

export interface GroupPlan {
  result: 'groups';
  access: Lookup | Scan;
  filter: Filter;
  /** Returns a new empty grouping for each attempt. */
  newGrouping(): Grouping;
  offset: number;
  limit: number;
}

export interface Search {
  text: string;
  /** `closestFirst` orders by similarity; `similarities` adds it to the rows of an ordered page. */
  adds: 'closestFirst' | 'similarities';
}

export type QueryPlan = GroupPlan | (PagePlan & { selection: Selection | undefined; search: Search | undefined });

type Planned = Pick<RowSource, 'table' | 'lastId'>;

/** Bounds memory when sorting by a column other than id. */
const SORTED_LIMIT = 100_000;
/** Offset up to which a query without a filter reads rows rather than the snapshot. */
const OFFSET_READ = 1_000;

export function planQuery(source: Planned, query: RowQuery): QueryPlan {
  const { columns } = source.table;
  const filter = parseFilter(query.filter ?? {}, columns);
  const selection = parseSelect(query.select, columns);
  if (query.group) {
    if (query.search !== undefined) throw invalidPayload('Groups cannot be searched. Omit search or group.', 'search');
    return planGroups(source, query, filter);
  }
  const order = parseOrder(query, columns);
  return { ...planPage(source, query, filter, order), selection, search: searchOf(source, query) };
}

function searchOf({ table }: Planned, { search, orderBy }: RowQuery): Search | undefined {
  if (search === undefined) return undefined;
  if (!isSearchable(table)) {
    throw invalidPayload(`The table has no searchable column. Set "searchable" in a column's x-zui.`, 'search');
  }
  return { text: search, adds: orderBy === undefined ? 'closestFirst' : 'similarities' };
}

export function planPage(
  source: Planned,
  { offset, limit }: Pick<RowQuery, 'offset' | 'limit'>,
  filter: Filter,
  order: Order,
): PagePlan {
  const access = lookupOf(source, filter) ?? pageAccess(source, { offset, limit }, filter, order);
  return { result: 'page', access, filter, order, offset, limit };
}

function pageAccess(
  source: Planned,
  { offset, limit }: Pick<RowQuery, 'offset' | 'limit'>,
  filter: Filter,
  order: Order,
): InIdOrder | Scan {
  const range = idRange(source, filter);
  if (!order.isById) {
    requireSortable(offset + limit);
    return { by: 'scan', ...range, columns: [...new Set([...filter.columns, order.column])], snapshot: 'load' };
  }
  const isFiltered = filter.columns.size > 0;
  return {
    by: 'idOrder',
    ...range,
    direction: order.isDescending ? 'desc' : 'asc',
    // Without a filter, rows before the page are counted but not read in full.
    columns: isFiltered || offset > 0 ? [...filter.columns] : 'all',
    snapshot: isFiltered || offset > OFFSET_READ ? 'load' : 'ifOpen',
  };
}

function requireSortable(end: number): void {
  if (end <= SORTED_LIMIT) return;
  throw invalidPayload(
    `Rows ordered by a column other than id can be paged up to row ${SORTED_LIMIT}. Narrow them down with a filter.`,
    'offset',
  );
}

function planGroups(source: Planned, query: RowQuery, filter: Filter): GroupPlan {
  const newGrouping = () => parseGroup(query.group, source.table.columns, query);
  const columns = [...new Set([...filter.columns, ...newGrouping().columns])];
  const access = lookupOf(source, filter) ?? {
    by: 'scan' as const,
    ...idRange(source, filter),
    columns,
    snapshot: 'load' as const,
  };
  return { result: 'groups', access, filter, newGrouping, offset: query.offset, limit: query.limit };
}

function lookupOf({ table }: Planned, filter: Filter): Lookup | undefined {
  if (filter.idList) return { by: 'ids', ids: filter.idList };
  const key = keyColumnOf(table);
  const value = key && filter.equalities.get(key.name);
  return key && value !== undefined && value !== null ? { by: 'key', column: key.name, value } : undefined;
}

/** Returns a plan as plain data, without values of the query, for logs. */
export function explain(plan: QueryPlan | PagePlan): Record<string, unknown> {
  const { result, access, offset, limit } = plan;
  const { by, ...details } = access;
  const shown =
    access.by === 'ids' ? { ids: access.ids.length } : access.by === 'key' ? { column: access.column } : details;
  const search = 'search' in plan ? plan.search?.adds : undefined;
  return { result, by, ...shown, search, offset, limit };
}
