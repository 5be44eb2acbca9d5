/**
 * Runs the same queries in SQLite. Shares no code with the code under test, so that both do not have the same errors.
 */
import { DatabaseSync } from 'node:sqlite';
import type { Values } from '#shared/domain/tables/query/field.ts';
import type { Column } from '#shared/storage/dynamodb/tables/column.ts';

/** SQL expressions of a value: its kind (`null`, `number`, `text`, `bool`, `array`, `object`) and the value. */
interface Expression {
  kind: string;
  value: string;
}

const COMPARISONS: Record<string, string> = { $gt: '>', $gte: '>=', $lt: '<', $lte: '<=' };
const KINDS = { string: 'text', number: 'number', boolean: 'bool', object: 'object', array: 'array', null: 'null' };

export class Oracle {
  readonly #database = new DatabaseSync(':memory:');
  readonly #columns: readonly Column[];

  constructor(columns: readonly Column[], rows: readonly Values[]) {
    this.#columns = columns;
    this.#database.function('matches', { deterministic: true }, (pattern, flags, text) =>
      new RegExp(String(pattern), `u${flags}`).test(String(text)) ? 1 : 0,
    );
    const names = ['id', 'createdAt', 'updatedAt', ...columns.map(({ name }) => name)];
    this.#database.exec(`CREATE TABLE t (${names.map(identifier).join()})`);
    const insert = this.#database.prepare(`INSERT INTO t VALUES (${names.map(() => '?').join()})`);
    for (const row of rows) insert.run(...names.map(name => stored(row[name] ?? null)));
  }

  close() {
    this.#database.close();
  }

  /** Returns the ids of a page. */
  find(filter: Values, orderBy: string, isDescending: boolean, limit: number, offset: number): number[] {
    const order = [...this.#order(orderBy, isDescending), 'id'].join();
    const sql = `SELECT id FROM t WHERE ${this.#filter(filter)} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`;
    return this.#database
      .prepare(sql)
      .all()
      .map(({ id }) => Number(id));
  }

  /**
   * Returns the groups of a page, with sorted sets.
   * @param orderBy an output
   */
  group(
    group: Record<string, string[]>,
    order: { output: string | undefined; isDescending: boolean },
    limit: number,
    offset: number,
  ): Values[] {
    const outputs = Object.entries(group).flatMap(([field, operations]) =>
      operations.map(operation => ({ name: capitalised(field, operation), field, operation })),
    );
    const selected = outputs.map(({ field, operation }, i) => {
      const { kind, value } = this.#field(field);
      return operation === 'key' ? `${kind} k${i}, ${value} v${i}` : `${this.#aggregate(field, operation)} v${i}`;
    });
    const keys = outputs.flatMap(({ operation }, i) =>
      operation === 'key' ? [{ kind: `k${i}`, value: `v${i}` }] : [],
    );
    const index = outputs.findIndex(({ name }) => name === order.output);
    const first =
      index === -1
        ? []
        : ordered(outputs[index]!.operation === 'key' ? `k${index}` : `'number'`, `v${index}`, order.isDescending);
    const sorted = [...first, ...keys.flatMap(({ kind, value }) => [...ordered(kind, value, false), value])];
    const sql = [
      `SELECT ${selected.join()} FROM t`,
      keys.length > 0 ? `GROUP BY ${keys.flatMap(({ kind, value }) => [kind, value]).join()}` : '',
      sorted.length > 0 ? `ORDER BY ${sorted.join()}` : '',
      `LIMIT ${limit} OFFSET ${offset}`,
    ].join(' ');
    return this.#database
      .prepare(sql)
      .all()
      .map(row =>
        Object.fromEntries(
          outputs.map(({ name, field, operation }, i) => {
            if (operation === 'key') return [name, read(String(row[`k${i}`]), row[`v${i}`])];
            return [name, this.#readAggregate(field, operation, row[`v${i}`])];
          }),
        ),
      );
  }

  #aggregate(field: string, operation: string): string {
    const { kind, value } = this.#field(field);
    switch (operation) {
      case 'count':
        return `COUNT(CASE WHEN ${kind} <> 'null' THEN 1 END)`;
      case 'unique':
        return `json_group_array(DISTINCT ${value} ORDER BY ${value}) FILTER (WHERE ${kind} <> 'null')`;
      case 'sum':
      case 'avg':
        return `${operation}(CASE WHEN ${kind} = 'number' THEN ${value} END)`;
      default:
        return `${operation}(${value})`;
    }
  }

  #readAggregate(field: string, operation: string, value: unknown): unknown {
    const kind = this.#kindOf(field);
    if (operation === 'unique') return (JSON.parse(String(value)) as unknown[]).map(each => read(kind, each));
    const isOfColumn = (operation === 'min' || operation === 'max') && value !== null;
    return isOfColumn ? read(kind, value) : value;
  }

  /** Returns the kind of a column, not of a path. */
  #kindOf(name: string): string {
    if (name === 'id') return 'number';
    const column = this.#columns.find(each => each.name === name);
    return KINDS[column?.type ?? 'string'];
  }

  #field(name: string): Expression {
    const [column, ...parts] = name.split('.') as [string, ...string[]];
    const value = identifier(column);
    if (parts.length === 0) {
      return { kind: `(CASE WHEN ${value} IS NULL THEN 'null' ELSE '${this.#kindOf(name)}' END)`, value };
    }
    const json = parts.reduce(step, value);
    const kind = `(CASE json_type(${json}) WHEN 'integer' THEN 'number' WHEN 'real' THEN 'number' WHEN 'true' THEN 'bool'
      WHEN 'false' THEN 'bool' WHEN 'text' THEN 'text' WHEN 'array' THEN 'array' WHEN 'object' THEN 'object' ELSE 'null' END)`;
    return { kind, value: `(${json} ->> '$')` };
  }

  #order(name: string, isDescending: boolean): string[] {
    const { kind, value } = this.#field(name);
    return ordered(kind, value, isDescending);
  }

  #filter(filter: Values): string {
    const parts = Object.entries(filter).map(([key, value]) => {
      if (key === '$and') return `(${(value as Values[]).map(each => this.#filter(each)).join(' AND ')})`;
      if (key === '$or') return `(${(value as Values[]).map(each => this.#filter(each)).join(' OR ')})`;
      if (key === '$not') return `NOT ${this.#filter(value as Values)}`;
      return this.#conditions(key, value);
    });
    return parts.length === 0 ? 'TRUE' : `(${parts.join(' AND ')})`;
  }

  #conditions(name: string, operand: unknown): string {
    const isBare = typeof operand !== 'object' || operand === null || !Object.keys(operand)[0]?.startsWith('$');
    const operators = (isBare ? { $eq: operand } : operand) as Values;
    const parts = Object.entries(operators)
      .filter(([operator]) => operator !== '$options')
      .map(([operator, value]) => this.#condition(name, operator, value, operators.$options ?? ''));
    return `(${parts.join(' AND ')})`;
  }

  #condition(name: string, operator: string, operand: unknown, options: unknown): string {
    const { kind, value } = this.#field(name);
    const column = this.#columns.find(each => each.name === name);
    const isDate = column?.format === 'date-time' || name === 'createdAt' || name === 'updatedAt';
    const equal = (to: unknown) => {
      const { kind: kindOfOperand, value: literal } = literalOf(isDate && to !== null ? isoOf(to) : to);
      return `(${kind} = '${kindOfOperand}' AND ${kindOfOperand === 'null' ? 'TRUE' : `${value} = ${literal}`})`;
    };
    const isIn = () => `(${(operand as unknown[]).map(equal).join(' OR ') || 'FALSE'})`;
    switch (operator) {
      case '$eq':
        return equal(operand);
      case '$ne':
        return `NOT ${equal(operand)}`;
      case '$in':
        return isIn();
      case '$nin':
        return `NOT ${isIn()}`;
      case '$not':
        return `NOT ${this.#conditions(name, operand)}`;
      case '$exists':
        return `(${kind} = 'null') = ${operand ? 'FALSE' : 'TRUE'}`;
      case '$regex':
        return `(${kind} = 'text' AND matches(${text(String(operand))}, ${text(String(options).replace('c', ''))}, ${value}))`;
      case '$size':
        return `(CASE WHEN ${kind} = 'array' THEN json_array_length(${value}) = ${operand} ELSE FALSE END)`;
      case '$mod': {
        const [divisor, remainder] = operand as [number, number];
        const whole = `CAST(${value} AS INTEGER)`;
        return `(${kind} = 'number' AND ${value} = ${whole} AND ${whole} % ${divisor} = ${remainder})`;
      }
      default: {
        const { kind: kindOfOperand, value: literal } = literalOf(isDate ? isoOf(operand) : operand);
        return `(${kind} = '${kindOfOperand}' AND ${value} ${COMPARISONS[operator]} ${literal})`;
      }
    }
  }
}

/** Sorts values without an order last, then null, in both directions. */
function ordered(kind: string, value: string, isDescending: boolean): string[] {
  const isLast = `CASE ${kind} WHEN 'null' THEN 2 WHEN 'object' THEN 1 WHEN 'array' THEN 1 ELSE 0 END`;
  const rank = `CASE ${kind} WHEN 'number' THEN 0 WHEN 'text' THEN 1 WHEN 'bool' THEN 2 END`;
  const scalar = `CASE WHEN ${kind} NOT IN ('object', 'array') THEN ${value} END`;
  return isDescending ? [isLast, `${rank} DESC`, `${scalar} DESC NULLS LAST`] : [isLast, rank, `${scalar} NULLS LAST`];
}

/** Takes one step along a path, from JSON to JSON. */
function step(json: string, part: string): string {
  const byName = `(${json} -> '$."${part}"')`;
  if (!/^\d+$/.test(part)) return byName;
  return `(CASE json_type(${json}) WHEN 'array' THEN ${json} -> '$[${part}]' ELSE ${byName} END)`;
}

function literalOf(value: unknown): Expression {
  if (value === null) return { kind: 'null', value: 'NULL' };
  if (typeof value === 'number') return { kind: 'number', value: String(value) };
  if (typeof value === 'boolean') return { kind: 'bool', value: value ? '1' : '0' };
  if (typeof value === 'string') return { kind: 'text', value: text(value) };
  return { kind: Array.isArray(value) ? 'array' : 'object', value: text(sortedJson(value)) };
}

/** Returns the stored form of a value. */
function stored(value: unknown): string | number | null {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  return typeof value === 'boolean' ? Number(value) : sortedJson(value);
}

function read(kind: string, value: unknown): unknown {
  if (kind === 'bool') return value === 1;
  return kind === 'array' || kind === 'object' ? JSON.parse(String(value)) : value;
}

function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${sortedJson(each)}`).join()}}`;
}

const isoOf = (text: unknown) => new Date(String(text)).toISOString();
const text = (value: string) => `'${value.replaceAll("'", "''")}'`;
const identifier = (name: string) => `"${name}"`;
const capitalised = (field: string, operation: string) => field + operation[0]!.toUpperCase() + operation.slice(1);
