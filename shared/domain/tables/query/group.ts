/** Groups and their aggregates, such as `{ city: 'key', price: ['sum', 'avg'] }`. */

import { invalidPayload } from '#shared/core/errors.ts';
import type { Column } from '#shared/storage/dynamodb/tables/column.ts';
import { AGGREGATES, type Aggregate, type AggregateName, newAggregate } from './aggregate.ts';
import { canonical, compareInDirection, compareStrings, compareValues, isComposite } from './compareValues.ts';
import { type Field, parseField, quote, type Values } from './field.ts';
import type { OrderInput } from './rowOrder.ts';

export interface Grouping {
  columns: ReadonlySet<string>;
  /** In output order, for engines that group rows themselves and call `addGroup`. */
  outputs: readonly Output[];
  add(row: Values): void;
  /** Adds a complete group. Returns false once the limit of groups is reached. */
  addGroup(values: readonly unknown[]): boolean;
  rows(offset: number, limit: number): { rows: Values[]; hasMore: boolean };
  /** True if groups or values were dropped to limit memory. */
  readonly wasCut: boolean;
}

const OPERATIONS = ['key', ...AGGREGATES] as const;
type Operation = (typeof OPERATIONS)[number];

export interface Output {
  name: string;
  field: Field;
  operation: Operation;
}

type Aggregated = Output & { operation: AggregateName };

interface Group {
  keys: unknown[];
  aggregates: Aggregate[];
}

/** Limits per call, which bound memory. */
const OUTPUTS_LIMIT = 50;
const GROUPS_LIMIT = 50_000;
const UNIQUE_LIMIT = 100_000;
/** Characters in the keys and distinct values of all groups. */
const CHARACTERS_LIMIT = 30_000_000;

export function parseGroup(group: unknown, columns: readonly Column[], order: OrderInput): Grouping {
  const outputs = parseOutputs(group, columns);
  return new Groups(outputs, comparison(outputs, columns, order));
}

function parseOutputs(group: unknown, columns: readonly Column[]): Output[] {
  if (typeof group !== 'object' || group === null || Array.isArray(group) || Object.keys(group).length === 0) {
    throw invalidPayload('group must be an object that maps columns to operations.', 'group');
  }
  const outputs = Object.entries(group).flatMap(([name, operations]) => {
    const path = `group.${name}`;
    const field = parseField(name, columns, path);
    return parseOperations(operations, path).map(operation => parseOutput(field, operation, path));
  });
  if (outputs.length > OUTPUTS_LIMIT) {
    throw invalidPayload(`A group can have at most ${OUTPUTS_LIMIT} operations.`, 'group');
  }
  return outputs;
}

function parseOperations(given: unknown, path: string): Operation[] {
  const operations: unknown[] = Array.isArray(given) ? [...new Set(given)] : [given];
  if (operations.length === 0) throw invalidPayload(`Must be one or more of ${OPERATIONS.join(', ')}.`, path);
  return operations.map(operation => {
    const known = OPERATIONS.find(each => each === operation);
    if (known) return known;
    const what = typeof operation === 'string' ? quote(operation) : `of type ${typeof operation}`;
    throw invalidPayload(`Unknown group operation ${what}. Use ${OPERATIONS.join(', ')}.`, path);
  });
}

function parseOutput(field: Field, operation: Operation, path: string): Output {
  const { type } = field;
  const isUnfit =
    ((operation === 'sum' || operation === 'avg') && type !== undefined && type !== 'number') ||
    ((operation === 'min' || operation === 'max') && (type === 'object' || type === 'array'));
  if (isUnfit) {
    throw invalidPayload(`${operation} does not apply to column ${quote(field.name)} of type ${type}.`, path);
  }
  return { name: outputName(field.name, operation), field, operation };
}

const outputName = (field: string, operation: Operation) =>
  `${field}${operation.charAt(0).toUpperCase()}${operation.slice(1)}`;

type Comparison = (a: Group, b: Group) => number;

function comparison(
  outputs: readonly Output[],
  columns: readonly Column[],
  { orderBy, orderDirection }: OrderInput,
): Comparison {
  if (orderBy === undefined) return compareKeys;
  const ofName = outputs.find(({ name }) => name === orderBy);
  const output = ofName ?? outputs.find(({ field, operation }) => field.name === orderBy && operation === 'key');
  if (!output) {
    // A column outside the group does not define an order; an unknown one is an error.
    parseField(orderBy, columns, 'orderBy');
    return compareKeys;
  }
  const { operation, field } = output;
  if (operation === 'unique' || (operation === 'key' && (field.type === 'object' || field.type === 'array'))) {
    throw invalidPayload(`Groups cannot be ordered by ${quote(orderBy)}: it is not a single value.`, 'orderBy');
  }
  const valueIn = reader(outputs, output);
  const isDescending = orderDirection === 'desc';
  return (a, b) => compareInDirection(valueIn(a), valueIn(b), isDescending) || compareKeys(a, b);
}

function reader(outputs: readonly Output[], output: Output): (group: Group) => unknown {
  const isKey = output.operation === 'key';
  const index = outputs.filter(({ operation }) => (operation === 'key') === isKey).indexOf(output);
  return isKey ? group => group.keys[index] : group => group.aggregates[index]!.result();
}

function compareKeys(a: Group, b: Group): number {
  for (const [i, key] of a.keys.entries()) {
    const other = b.keys[i];
    const order = compareValues(key, other);
    if (order !== 0) return order;
    if (isComposite(key)) {
      const byText = compareStrings(canonical(key), canonical(other));
      if (byText !== 0) return byText;
    }
  }
  return 0;
}

class Groups implements Grouping {
  readonly columns: ReadonlySet<string>;
  readonly outputs: readonly Output[];
  wasCut = false;
  readonly #keys: readonly Output[];
  readonly #aggregated: readonly Aggregated[];
  readonly #readers: readonly { name: string; read: (group: Group) => unknown }[];
  readonly #compare: Comparison;
  readonly #groups = new Map<string, Group>();
  #sorted: Group[] | undefined;
  #uniques = 0;
  #characters = 0;

  constructor(outputs: readonly Output[], compare: Comparison) {
    this.outputs = outputs;
    this.columns = new Set(outputs.map(({ field }) => field.column));
    this.#keys = outputs.filter(({ operation }) => operation === 'key');
    this.#aggregated = outputs.filter((output): output is Aggregated => output.operation !== 'key');
    this.#readers = outputs.map(output => ({ name: output.name, read: reader(outputs, output) }));
    this.#compare = compare;
    // Without keys, all rows form one group, even if there are none.
    if (this.#keys.length === 0) this.#open('', []);
  }

  add(row: Values): void {
    const keys = this.#keys.map(({ field }) => field.read(row));
    const text = keys.map(canonical).join();
    const group = this.#groups.get(text) ?? this.#open(text, keys);
    if (!group) return;
    this.#sorted = undefined;
    for (const [i, { field }] of this.#aggregated.entries()) {
      const value = field.read(row);
      if (value !== null) group.aggregates[i]!.add(value);
    }
  }

  addGroup(values: readonly unknown[]): boolean {
    const keys = values.filter((_, i) => this.outputs[i]!.operation === 'key');
    const results = values.filter((_, i) => this.outputs[i]!.operation !== 'key');
    const group = this.#open(keys.map(canonical).join(), keys);
    if (group) group.aggregates = results.map(value => ({ add: () => {}, result: () => value }));
    this.#sorted = undefined;
    return group !== undefined;
  }

  rows(offset: number, limit: number) {
    this.#sorted ??= [...this.#groups.values()].sort(this.#compare);
    const rows = this.#sorted.slice(offset, offset + limit).map(group => this.#rowOf(group));
    return { rows, hasMore: this.#sorted.length > offset + limit };
  }

  #rowOf(group: Group): Values {
    const row: Values = Object.create(null);
    for (const { name, read } of this.#readers) row[name] = read(group);
    return row;
  }

  #open(text: string, keys: unknown[]): Group | undefined {
    if (this.#groups.size >= GROUPS_LIMIT || !this.#takeCharacters(text.length)) {
      this.wasCut = true;
      return undefined;
    }
    const aggregates = this.#aggregated.map(({ operation }) =>
      newAggregate(operation, value => this.#takeUnique(value)),
    );
    const group = { keys, aggregates };
    this.#groups.set(text, group);
    return group;
  }

  #takeUnique(value: unknown): boolean {
    const length = typeof value === 'string' ? value.length : canonical(value).length;
    if (this.#uniques < UNIQUE_LIMIT && this.#takeCharacters(length)) {
      this.#uniques++;
      return true;
    }
    this.wasCut = true;
    return false;
  }

  #takeCharacters(length: number): boolean {
    if (this.#characters + length > CHARACTERS_LIMIT) return false;
    this.#characters += length;
    return true;
  }
}
