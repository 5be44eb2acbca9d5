/** The values of a row: as callers give and get them, by the names of columns, and as rows keep them, by their ids. */
import { COLUMN_TYPES, type Column, type ColumnType, SYSTEM_COLUMNS } from '#shared/dynamodb/tables/column.ts';
import { compilePattern, type Pattern } from '#shared/tables/patterns.ts';
import { toInstant } from '#shared/tables/query/instant.ts';
import { faultOfJson, isObject, type Json } from '#shared/tables/schema/json.ts';

/** JSON values by the names of columns. */
export type Values = Record<string, unknown>;
/** Each value as text, by the id of its column; null has no entry. */
export type Stored = Record<string, string>;

/**
 * @param value of the column's type, and not null
 * @returns a text that {@link decode} makes it of again; a date-time as `Date.toISOString()` writes it
 */
export function encode(column: Column, value: unknown): string {
  switch (column.type) {
    case 'string':
      return (isDateTime(column) ? toInstant(String(value)) : undefined) ?? String(value);
    case 'boolean':
      return value ? '1' : '0';
    case 'number':
      return String(value);
    default:
      return JSON.stringify(value);
  }
}

/** @returns null for a text that is no value of the column, which a row may have from before the column was as it is */
export function decode(column: Column, text: string): unknown {
  switch (column.type) {
    case 'string':
      return isDateTime(column) ? (toInstant(text) ?? null) : text;
    case 'boolean':
      return text === '1' ? true : text === '0' ? false : null;
    case 'number':
      return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : null;
    default:
      return decodeJson(column.type, text);
  }
}

function decodeJson(type: ColumnType, text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeOf(value) === type ? value : null;
  } catch {
    return null;
  }
}

/** A row by the names of columns, each of which it has: null where there is no value. */
export const decodeRow = (columns: readonly Column[], stored: Stored): Values =>
  Object.fromEntries(
    columns.map(column => {
      const text = Object.hasOwn(stored, column.id) ? stored[column.id] : undefined;
      return [column.name, text === undefined ? null : decode(column, text)];
    }),
  );

const isDateTime = ({ type, format }: Column) => type === 'string' && format === 'date-time';

/** In bytes as UTF-8, with the ids of the columns. */
export const rowBytes = (stored: Stored): number =>
  Object.entries(stored).reduce((sum, [id, text]) => sum + Buffer.byteLength(id) + Buffer.byteLength(text), 0);

/** What of a row is to be written, by the id of the column; null takes a value away. */
interface Checked {
  set: Record<string, string | null>;
  warnings: string[];
  /** If there are any, the row is not to be written. */
  errors: string[];
}

/** However many a row has: an answer must fit into 6 MB. */
const WARNINGS_LIMIT = 20;

/**
 * Checks what a caller gives of a row, a computed column like any other. Nothing is taken for something else: a number
 * as a text is no number.
 * @param isNew what has no value then must be nullable, or computed
 */
export function checkRow(
  columns: readonly Column[],
  input: Record<string, unknown>,
  { isNew }: { isNew: boolean },
): Checked {
  const set: Record<string, string | null> = {};
  const errors: string[] = [];
  for (const column of columns) {
    const value = Object.hasOwn(input, column.name) ? input[column.name] : undefined;
    const fault = value === undefined ? faultOfMissing(column, isNew) : faultOfValue(column, value);
    if (fault !== undefined) errors.push(`Column "${column.name}"${fault}.`);
    else if (value !== undefined) set[column.id] = value === null ? null : encode(column, value);
  }
  return { set, warnings: unknownIn(columns, input), errors };
}

const faultOfMissing = ({ nullable, computed }: Column, isNew: boolean) =>
  isNew && !nullable && (!computed || computed.enabled === false) ? ' must have a value' : undefined;

function unknownIn(columns: readonly Column[], input: Record<string, unknown>): string[] {
  const known = new Set<string>([...SYSTEM_COLUMNS, ...columns.map(({ name }) => name)]);
  const unknown = Object.keys(input).filter(name => !known.has(name));
  const warnings = unknown
    .slice(0, WARNINGS_LIMIT)
    .map(name => `Unknown column "${name.slice(0, 100).toWellFormed()}" was ignored.`);
  const others = unknown.length - warnings.length;
  return others > 0 ? [...warnings, `${others} more unknown columns were ignored.`] : warnings;
}

/** Objects and arrays one in another. */
const DEPTH_LIMIT = 50;

/** What is wrong with a value, to follow the column's name. */
function faultOfValue(column: Column, value: unknown): string | undefined {
  if (value === null) return column.nullable ? undefined : ' must have a value, and not null';
  // Before anything looks into it.
  const fault = faultOfJson(value, DEPTH_LIMIT);
  if (fault !== undefined) return ` ${fault}`;
  const declared = { ...column, nullable: true };
  if (!isDateTime(column)) return faultOfDeclared(declared, value, '') ?? faultOfPattern(column, value);
  const instant = typeof value === 'string' ? toInstant(value) : undefined;
  if (instant !== undefined) return faultOfDeclared(declared, instant, '') ?? faultOfPattern(column, instant);
  const given = typeof value === 'string' ? `"${value.slice(0, 50).toWellFormed()}"` : TYPE_NAMES[typeOf(value)];
  return ` must be an ISO 8601 date, or date-time with Z or an offset, like 2020-01-31T12:00:00Z, not ${given}`;
}

/** Patterns of columns as they were when last looked at: a column that changes becomes another object. */
const patterns = new WeakMap<Column, Pattern>();

function faultOfPattern(column: Column, value: unknown): string | undefined {
  if (column.pattern === undefined || typeof value !== 'string') return undefined;
  const pattern = patterns.get(column) ?? compilePattern(column.pattern);
  patterns.set(column, pattern);
  return pattern.test(value) ? undefined : ` must match the pattern ${column.pattern.slice(0, 200)}`;
}

const TYPE_NAMES: Record<ColumnType, string> = {
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

const typeOf = (value: unknown): ColumnType =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'array'
      : (typeof value as 'string' | 'number' | 'boolean' | 'object');

/** Checks a value, and what is in it, by what of JSON Schema we know. The rest of a declaration has no effect. */
function faultOfDeclared(declared: object, value: unknown, path: string): string | undefined {
  const { type, enum: values, nullable, items, properties } = declared as Json;
  if (value === null) return nullable === false ? `${path} must have a value, and not null` : undefined;
  if (isColumnType(type) && type !== typeOf(value)) {
    return `${path} must be ${TYPE_NAMES[type]}, not ${TYPE_NAMES[typeOf(value)]}`;
  }
  if (Array.isArray(values) && typeof value !== 'object' && !values.includes(value)) {
    return `${path} must be one of ${JSON.stringify(values).slice(1, 300)}`;
  }
  if (Array.isArray(value)) return isObject(items) ? faultOfItems(items, value, path) : undefined;
  return isObject(value) && isObject(properties) ? faultOfProperties(properties, value, path) : undefined;
}

const isColumnType = (type: unknown): type is ColumnType => COLUMN_TYPES.some(each => each === type);

function faultOfItems(items: Json, value: readonly unknown[], path: string): string | undefined {
  for (const [index, each] of value.entries()) {
    const fault = faultOfDeclared(items, each, `${path}[${index}]`);
    if (fault !== undefined) return fault;
  }
}

/** A property that is missing is like one that is null; one that is not declared may be anything. */
function faultOfProperties(properties: Json, value: Json, path: string): string | undefined {
  for (const [key, declared] of Object.entries(properties)) {
    if (!isObject(declared)) continue;
    const each = Object.hasOwn(value, key) ? value[key] : null;
    const fault = faultOfDeclared(declared, each, `${path}.${key.slice(0, 100)}`);
    if (fault !== undefined) return fault;
  }
}
