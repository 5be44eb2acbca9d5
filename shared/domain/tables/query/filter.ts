/**
 * The logic is two-valued: `$ne`, `$nin` and `$not` are exact negations, so they match null unless the negated
 * condition does. See docs/api/tables.md#table-filters.
 */

import { invalidPayload } from '#shared/core/errors.ts';
import type { Column } from '#shared/storage/dynamodb/tables/column.ts';
import { type Condition, parseCondition } from './condition.ts';
import { type Field, parseField, quote, type Values } from './field.ts';
import { type Implied, impliedBy } from './implied.ts';
import { MatchingWork } from './matchingWork.ts';

export type FilterTree = { all: FilterTree[] } | { any: FilterTree[] } | { not: FilterTree } | Condition;

export interface Filter extends Implied {
  tree: FilterTree;
  matches(row: Values): boolean;
  columns: ReadonlySet<string>;
  work: MatchingWork;
  /** Path of the first part without a condition. Such a part matches every row. */
  emptyPart: string | undefined;
}

type Predicate = (row: Values) => boolean;

const CONDITIONS_LIMIT = 500;
const NESTING_LIMIT = 20;

export function parseFilter(filter: unknown, columns: readonly Column[]): Filter {
  const parser = new FilterParser(columns);
  const tree = parser.parse(filter, { path: 'filter', depth: 0, isConjunct: true });
  const { read: columnsRead, work, emptyPart } = parser;
  return { tree, matches: predicateOf(tree), columns: columnsRead, work, emptyPart, ...impliedBy(parser.conjuncts) };
}

function predicateOf(tree: FilterTree): Predicate {
  if ('all' in tree) return every(tree.all.map(predicateOf));
  if ('any' in tree) return some(tree.any.map(predicateOf));
  if ('not' in tree) {
    const matches = predicateOf(tree.not);
    return row => !matches(row);
  }
  const { field, test } = tree;
  return row => test(field.read(row));
}

interface FilterPath {
  path: string;
  depth: number;
  /** True if every matching row must match this part. */
  isConjunct: boolean;
}

class FilterParser {
  readonly read = new Set<string>();
  readonly conjuncts: Condition[] = [];
  readonly work = new MatchingWork();
  emptyPart: string | undefined;
  readonly #columns: readonly Column[];
  #conditions = 0;

  constructor(columns: readonly Column[]) {
    this.#columns = columns;
  }

  parse(filter: unknown, at: FilterPath): FilterTree {
    if (!isObject(filter)) throw invalidPayload('A filter must be an object.', at.path);
    const entries = Object.entries(filter);
    if (entries.length === 0) this.#passEmpty(at);
    return all(entries.map(([key, value]) => this.#parseEntry(key, value, { ...at, path: `${at.path}.${key}` })));
  }

  #parseEntry(key: string, value: unknown, at: FilterPath): FilterTree {
    if (key === '$and') return all(this.#parseList(key, value, deeper(at, at.isConjunct)));
    if (key === '$or') return { any: this.#parseList(key, value, deeper(at, false)) };
    if (key === '$not') return { not: this.parse(value, deeper(at, false)) };
    return this.#parseColumn(key, value, at);
  }

  #parseList(operator: string, value: unknown, at: FilterPath): FilterTree[] {
    if (!Array.isArray(value) || value.length === 0) {
      throw invalidPayload(`${operator} takes an array of at least one filter.`, at.path);
    }
    return value.map((each, i) => this.parse(each, { ...at, path: `${at.path}.${i}` }));
  }

  #parseColumn(name: string, value: unknown, at: FilterPath): FilterTree {
    const isOperator = name.startsWith('$') && !this.#columns.some(column => column.name === name.split('.')[0]);
    if (isOperator) throw invalidPayload(`Unknown filter operator ${quote(name)}.`, at.path);
    const field = parseField(name, this.#columns, at.path);
    this.read.add(field.column);
    return isOperators(value, at.path)
      ? this.#parseOperators(field, value, at)
      : this.#parseCondition(field, { $eq: value }, '$eq', at);
  }

  #parseOperators(field: Field, operators: Values, at: FilterPath): FilterTree {
    if (Object.hasOwn(operators, '$options') && !Object.hasOwn(operators, '$regex')) {
      throw invalidPayload('$options requires a $regex.', `${at.path}.$options`);
    }
    const names = Object.keys(operators).filter(name => name !== '$options');
    return all(
      names.map(name => {
        const inner = { ...at, path: `${at.path}.${name}` };
        return name === '$not'
          ? this.#parseNot(field, operators[name], deeper(inner, false))
          : this.#parseCondition(field, operators, name, inner);
      }),
    );
  }

  #parseNot(field: Field, operators: unknown, at: FilterPath): FilterTree {
    if (!isOperators(operators, at.path)) {
      throw invalidPayload('$not of a column takes an object of operators.', at.path);
    }
    return { not: this.#parseOperators(field, operators, at) };
  }

  #parseCondition(field: Field, operators: Values, operator: string, { path, isConjunct }: FilterPath): Condition {
    this.#count(path);
    const options = operator === '$regex' ? operators.$options : undefined;
    const condition = parseCondition({ field, operator, operand: operators[operator], options, path, work: this.work });
    if (isConjunct) this.conjuncts.push(condition);
    return condition;
  }

  #passEmpty({ path, depth }: FilterPath) {
    // An empty part costs as much as a condition.
    this.#count(path);
    this.emptyPart ??= path;
    // Callers treat a filter without columns as matching every row, but `{ $not: {} }` matches none: make it read the
    // id.
    if (depth > 0) this.read.add('id');
  }

  #count(path: string) {
    if (++this.#conditions > CONDITIONS_LIMIT) {
      throw invalidPayload(`A filter can have at most ${CONDITIONS_LIMIT} conditions.`, path);
    }
  }
}

function deeper({ path, depth }: FilterPath, isConjunct: boolean): FilterPath {
  if (depth === NESTING_LIMIT) throw invalidPayload(`A filter can have at most ${NESTING_LIMIT} nested levels.`, path);
  return { path, depth: depth + 1, isConjunct };
}

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isOperators(value: unknown, path: string): value is Values {
  if (!isObject(value)) return false;
  const keys = Object.keys(value);
  const operators = keys.filter(key => key.startsWith('$'));
  if (operators.length > 0 && operators.length < keys.length) {
    const mixed = `${quote(operators[0]!)} and ${quote(keys.find(key => !key.startsWith('$'))!)}`;
    throw invalidPayload(
      `Operators and other keys cannot be mixed, as in ${mixed}. Use $eq to compare with an object.`,
      path,
    );
  }
  return operators.length > 0;
}

const all = (parts: FilterTree[]): FilterTree => (parts.length === 1 ? parts[0]! : { all: parts });

/** Avoids a loop per row for the usual one or two tests. */
function every<T>(tests: ((value: T) => boolean)[]): (value: T) => boolean {
  const [first, second] = tests;
  if (!first) return () => true;
  if (!second) return first;
  if (tests.length === 2) return value => first(value) && second(value);
  return value => tests.every(test => test(value));
}

function some<T>(tests: ((value: T) => boolean)[]): (value: T) => boolean {
  return tests.length === 1 ? tests[0]! : value => tests.some(test => test(value));
}
