import { iso } from '#shared/api/views.ts';
import { ApiError } from '#shared/core/errors.ts';
import type { Filter } from '#shared/domain/tables/query/filter.ts';
import { decode, type Values } from '#shared/domain/tables/schema/rowValues.ts';
import type { Column } from '#shared/storage/dynamodb/tables/column.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import { rowsInOrder, type ScanOptions, visitRows } from '#shared/storage/dynamodb/tables/rowReads.ts';
import type { Table } from '#shared/storage/dynamodb/tables/tables.ts';
import { yieldIfDue } from './matchRows.ts';
import { ScanClock } from './scanClock.ts';
import type { RowSource } from './source.ts';

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

export const columnIds = (columns: readonly Column[], names: ReadonlySet<string>) =>
  columns.filter(({ name }) => names.has(name)).map(({ id }) => id);

export const idRange = ({ lastId }: Pick<RowSource, 'lastId'>, { ids }: Filter) => ({
  from: Math.max(1, ids?.from ?? 1),
  to: Math.min(lastId, ids?.to ?? lastId),
});

const MATCH_BATCH = 500;

export async function* matchingIds(
  { bot, table, lastId }: Pick<RowSource, 'bot' | 'table' | 'lastId'>,
  filter: Filter,
  firstId = 1,
): AsyncGenerator<number[]> {
  const range = idRange({ lastId }, filter);
  const [from, to] = [Math.max(firstId, range.from), range.to];
  if (from > to) return;
  const valuesOf = valueReader(table, filter.columns);
  const options: ScanOptions = { from, to, direction: 'asc', columns: columnIds(table.columns, filter.columns) };
  let batch: number[] = [];
  for await (const row of rowsInOrder(bot.id, table.id, lastId, options)) {
    if (filter.matches(valuesOf(row))) batch.push(row.id);
    await yieldIfDue(filter);
    if (batch.length < MATCH_BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Visits all rows in no particular order, until `visit` returns true. Returns false if the deadline passed. */
export async function scanAll(
  { bot, table, lastId, deadlineMs }: RowSource,
  columns: readonly string[],
  visit: (row: Row) => boolean,
): Promise<boolean> {
  using clock = new ScanClock(deadlineMs);
  const { signal } = clock;
  const options: ScanOptions = { from: 1, to: Math.max(1, lastId), direction: 'asc', columns, signal };
  await visitRows(bot.id, table.id, lastId, options, row => visit(row) || clock.tick());
  return !clock.isUp;
}

export async function idsByValue(
  source: RowSource,
  column: Column,
  values: ReadonlySet<string>,
): Promise<Map<string, number[]>> {
  const ids = new Map<string, number[]>();
  const isComplete = await scanAll(source, [column.id], row => {
    const value = row.values[column.id];
    if (value !== undefined && values.has(value)) ids.set(value, [...(ids.get(value) ?? []), row.id]);
    return false;
  });
  if (!isComplete) {
    throw new ApiError(
      'LimitExceeded',
      `The table ${source.table.name} has too many rows to find values of ${column.name} in one call. Send the ids of the rows, or make ${column.name} the table's key.`,
    );
  }
  return ids;
}
