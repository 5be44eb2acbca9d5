/** Queries a snapshot file, with the same results as `tables/find/readPage.ts` and `readGroups.ts`. */

import type { Field } from '#shared/domain/tables/query/field.ts';
import type { Filter } from '#shared/domain/tables/query/filter.ts';
import type { Grouping, Output } from '#shared/domain/tables/query/group.ts';
import type { Order, Ordered } from '#shared/domain/tables/query/rowOrder.ts';
import { TopRows } from '#shared/domain/tables/query/topRows.ts';
import type { RowQuery } from '#shared/domain/tables/reading/source.ts';
import type { Values } from '#shared/domain/tables/schema/rowValues.ts';
import type { Column } from '#shared/storage/dynamodb/tables/column.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import type { RowFile } from './rowFile.ts';
import { columnSql, defineFunctions, MatchedTooLong, readerOf, type Where, whereOf } from './where.ts';

/** Conditions evaluated per query, which take some seconds. SQLite cannot be interrupted; reading rows can. */
const COST_LIMIT = 40_000_000;

export const pageInFile = (...input: Parameters<typeof findInFile>) => unlessTooLong(() => findInFile(...input));

function unlessTooLong<T>(find: () => T): T | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof MatchedTooLong) return undefined;
    throw error;
  }
}

function findInFile(
  file: RowFile,
  columns: readonly Column[],
  { offset, limit }: Pick<RowQuery, 'offset' | 'limit'>,
  filter: Filter,
  order: Order,
): { rows: Row[]; hasMore: boolean } | undefined {
  const where = affordable(file, filter, columns);
  if (!where) return undefined;
  for (const column of where.narrowing) file.noteUse(column);
  defineFunctions(file, where, filter.work);
  const by = orderSql(order, columns);
  const rows = by
    ? file.rows(`WHERE ${where.text} ORDER BY ${by} LIMIT ? OFFSET ?`, [...where.values, limit + 1, offset])
    : rowsByPath(file, columns, { offset, count: limit + 1 }, where, order);
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}

function rowsByPath(
  file: RowFile,
  columns: readonly Column[],
  { offset, count }: { offset: number; count: number },
  where: Where,
  order: Order,
): Row[] {
  const { argument, read } = readerOf(order.field, columns);
  const top = new TopRows<Ordered>(order.compare, offset + count);
  for (const [id, value] of file.iterate(`id, ${argument}`, `WHERE ${where.text}`, where.values)) {
    top.add({ id: Number(id), key: order.asKey(read(value)) });
  }
  const ids = top.take().slice(offset);
  const positions = new Map(ids.map(({ id }, i) => [id, i]));
  return file
    .rows('WHERE id IN (SELECT value FROM json_each(?))', [JSON.stringify([...positions.keys()])])
    .sort((a, b) => positions.get(a.id)! - positions.get(b.id)!);
}

function affordable(file: RowFile, filter: Filter, columns: readonly Column[]): Where | undefined {
  const where = whereOf(filter.tree, columns);
  return file.count * (1 + where.cost) > COST_LIMIT ? undefined : where;
}

function orderSql({ field, isById, isDescending }: Order, columns: readonly Column[]): string | undefined {
  const direction = isDescending ? 'DESC' : 'ASC';
  if (isById) return `id ${direction}`;
  const name = columnSql(field, columns);
  return name && `${name} ${direction} NULLS LAST, id`;
}

export const groupsInFile = (...input: Parameters<typeof groupInFile>): boolean =>
  unlessTooLong(() => groupInFile(...input)) ?? false;

function groupInFile(file: RowFile, columns: readonly Column[], filter: Filter, grouping: Grouping): boolean {
  const where = affordable(file, filter, columns);
  if (!where) return false;
  defineFunctions(file, where, filter.work);
  const outputs = grouping.outputs.map(output => outputSql(output, columns));
  if (outputs.every(output => output !== undefined)) {
    // `+` disables the index, which would look up the other values row by row.
    const keys = outputs.filter(({ isKey }) => isKey).map(({ text }) => `+${text}`);
    // Without keys, all rows form one group even if there are none, as in SQL.
    const tail = `WHERE ${where.text}${keys.length > 0 ? ` GROUP BY ${keys.join(', ')}` : ''}`;
    for (const record of file.iterate(outputs.map(({ text }) => text).join(', '), tail, where.values)) {
      if (!grouping.addGroup(record.map((value, i) => outputs[i]!.read(value)))) break;
    }
    return true;
  }
  const readers = [...grouping.columns].map(name => ({ name, ...readerOf(wholeColumn(name), columns) }));
  const what = readers.map(({ argument }) => argument).join(', ');
  for (const record of file.iterate(what, `WHERE ${where.text}`, where.values)) {
    const values: Values = Object.create(null);
    for (const [i, { name, read }] of readers.entries()) values[name] = read(record[i]);
    grouping.add(values);
  }
  return true;
}

const wholeColumn = (column: string): Field => ({
  name: column,
  column,
  type: undefined,
  isDateTime: false,
  parts: [],
  read: row => row[column] ?? null,
});

interface OutputSql {
  text: string;
  isKey: boolean;
  read(value: unknown): unknown;
}

function outputSql({ field, operation }: Output, columns: readonly Column[]): OutputSql | undefined {
  const name = columnSql(field, columns);
  if (name === undefined || operation === 'unique') return undefined;
  const isKey = operation === 'key';
  if (operation === 'count') return { text: `count(${name})`, isKey, read: value => value };
  // SQLite sums booleans as numbers, and distinguishes objects and arrays only by their text.
  if ((operation === 'sum' || operation === 'avg') && field.type !== 'number') return undefined;
  if (field.type === 'object' || field.type === 'array' || field.type === 'null') return undefined;
  const { read } = readerOf(field, columns);
  const isOfNumbers = operation === 'sum' || operation === 'avg';
  return { text: isKey ? name : `${operation}(${name})`, isKey, read: isOfNumbers ? value => value : read };
}
