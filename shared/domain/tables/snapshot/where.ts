/**
 * Conditions that SQLite evaluates differently become calls of their test function. No part evaluates to null, so
 * negations are exact.
 */
import { iso } from '#shared/api/views.ts';
import { clock } from '#shared/core/clock.ts';
import { isComposite } from '#shared/domain/tables/query/compareValues.ts';
import type { Condition } from '#shared/domain/tables/query/condition.ts';
import type { Field } from '#shared/domain/tables/query/field.ts';
import type { FilterTree } from '#shared/domain/tables/query/filter.ts';
import type { MatchingWork } from '#shared/domain/tables/query/matchingWork.ts';
import { decode } from '#shared/domain/tables/schema/rowValues.ts';
import type { Column } from '#shared/storage/dynamodb/tables/column.ts';
import type { RowFile } from './rowFile.ts';
import { fromSql, sqlName } from './sqlColumn.ts';

export interface Where {
  text: string;
  values: (string | number)[];
  functions: Map<string, (value: unknown) => number>;
  cost: number;
  narrowing: Set<string>;
}

const CALL_COST = 10;
/** SQLite allows 32,766 parameters. */
const VALUES_LIMIT = 20_000;

export function whereOf(tree: FilterTree, columns: readonly Column[]): Where {
  const where: Where = { text: '', values: [], functions: new Map(), cost: 0, narrowing: new Set() };
  where.text = sqlOf(tree, columns, where, true);
  return where;
}

/** SQLite can be interrupted only by an error in a function: pattern tests throw after this time. */
const MATCHING_MS = 1_000;

export class MatchedTooLong extends Error {
  override readonly name = 'MatchedTooLong';
}

export function defineFunctions(file: RowFile, { functions }: Where, work: MatchingWork): void {
  const untilMs = clock.now() + MATCHING_MS;
  for (const [name, call] of functions) {
    file.define(name, value => {
      const result = call(value);
      if (work.isDue() && clock.now() > untilMs) throw new MatchedTooLong();
      return result;
    });
  }
}

function sqlOf(tree: FilterTree, columns: readonly Column[], where: Where, isConjunct: boolean): string {
  if ('all' in tree) return joined(tree.all, 'AND', '1', part => sqlOf(part, columns, where, isConjunct));
  if ('any' in tree) return joined(tree.any, 'OR', '0', part => sqlOf(part, columns, where, false));
  if ('not' in tree) return `NOT ${sqlOf(tree.not, columns, where, false)}`;
  const narrows = isConjunct && NARROWING.has(tree.operator) && tree.operand !== null;
  const column = tree.field.parts.length === 0 ? columns.find(({ name }) => name === tree.field.column) : undefined;
  if (narrows && column) where.narrowing.add(column.id);
  const text = conditionSql(tree, columns, where);
  where.cost++;
  return text ?? callOf(tree, columns, where);
}

const joined = (
  parts: readonly FilterTree[],
  operator: string,
  empty: string,
  toText: (part: FilterTree) => string,
): string => (parts.length === 0 ? empty : `(${parts.map(toText).join(` ${operator} `)})`);

const NARROWING: ReadonlySet<string> = new Set(['$eq', '$in', '$gt', '$gte', '$lt', '$lte']);
const ORDERINGS: Readonly<Record<string, string>> = { $gt: '>', $gte: '>=', $lt: '<', $lte: '<=' };

/** @returns undefined if SQL evaluates the condition differently */
function conditionSql({ field, operator, operand }: Condition, columns: readonly Column[], where: Where) {
  const name = columnSql(field, columns);
  if (name === undefined) return undefined;
  if (operator === '$exists') return operand ? `${name} IS NOT NULL` : `${name} IS NULL`;
  if (operator === '$in' || operator === '$nin') {
    const list = listSql(name, field, operand as unknown[], where);
    return list && (operator === '$in' ? list : `NOT ${list}`);
  }
  const value = operand === null ? null : valueSql(field, operand);
  if (value === undefined) return undefined;
  if (operator === '$eq' || operator === '$ne') {
    const negation = operator === '$ne' ? ' NOT' : '';
    return value === null ? `${name} IS${negation} NULL` : `${name} IS${negation} ${bind(where, value)}`;
  }
  const ordering = ORDERINGS[operator];
  if (!ordering || value === null) return undefined;
  return `(${name} IS NOT NULL AND ${name} ${ordering} ${bind(where, value)})`;
}

function listSql(name: string, field: Field, operands: unknown[], where: Where): string | undefined {
  const values = operands.filter(operand => operand !== null).map(operand => valueSql(field, operand));
  if (values.includes(undefined) || where.values.length + values.length > VALUES_LIMIT) return undefined;
  const parts = [
    ...(operands.includes(null) ? [`${name} IS NULL`] : []),
    ...(values.length > 0
      ? [`(${name} IS NOT NULL AND ${name} IN (${values.map(value => bind(where, value!)).join(', ')}))`]
      : []),
  ];
  where.cost += Math.log2(values.length + 1);
  return parts.length > 0 ? `(${parts.join(' OR ')})` : '0';
}

function bind(where: Where, value: string | number): string {
  where.values.push(value);
  return '?';
}

export function columnSql({ column: name, parts }: Field, columns: readonly Column[]): string | undefined {
  if (parts.length > 0) return undefined;
  const column = columns.find(each => each.name === name);
  return column ? sqlName(column.id) : SYSTEM_COLUMNS[name];
}

const SYSTEM_COLUMNS: Readonly<Record<string, string>> = { id: 'id', createdAt: 'created', updatedAt: 'updated' };

const isTime = (name: string) => name === 'createdAt' || name === 'updatedAt';

/** @returns undefined if SQLite compares the operand differently */
function valueSql({ column, type }: Field, operand: unknown): string | number | undefined {
  if (isComposite(operand)) return undefined;
  if (typeof operand === 'boolean') return type === 'boolean' ? Number(operand) : undefined;
  if (typeof operand === 'number') return type === 'number' ? operand : undefined;
  // SQLite would replace lone surrogates.
  if (typeof operand !== 'string' || type !== 'string' || !operand.isWellFormed()) return undefined;
  return isTime(column) ? Date.parse(operand) : operand;
}

function callOf({ field, test }: Condition, columns: readonly Column[], where: Where): string {
  const name = `test${where.functions.size}`;
  const { read, argument } = readerOf(field, columns);
  where.functions.set(name, value => Number(test(read(value))));
  where.cost += CALL_COST;
  return `${name}(${argument})`;
}

export function readerOf(field: Field, columns: readonly Column[]) {
  const column = columns.find(({ name }) => name === field.column);
  const decodeValue = (value: unknown): unknown => {
    if (value === null) return null;
    if (column) return decode(column, fromSql(value as string | number));
    return isTime(field.column) ? iso(Number(value)) : value;
  };
  return {
    argument: column ? sqlName(column.id) : SYSTEM_COLUMNS[field.column]!,
    read: (value: unknown): unknown => {
      const decoded = decodeValue(value);
      return field.parts.length === 0 ? decoded : field.read({ [field.column]: decoded });
    },
  };
}
