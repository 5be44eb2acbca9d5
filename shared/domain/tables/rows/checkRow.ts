import { startOf } from '#shared/core/excerpt.ts';
import { compilePattern, type Pattern, PatternTests } from '#shared/core/patterns.ts';
import { toInstant } from '#shared/domain/tables/query/instant.ts';
import { faultOfJson, isObject, type Json } from '#shared/domain/tables/schema/json.ts';
import { encode, isDateTime, typeOf } from '#shared/domain/tables/schema/rowValues.ts';
import { COLUMN_TYPES, type Column, type ColumnType, SYSTEM_COLUMNS } from '#shared/storage/dynamodb/tables/column.ts';

interface CheckResult {
  set: Record<string, string | null>;
  warnings: string[];
  errors: string[];
}

/** Per row: a response is limited to 6 MB. */
const WARNINGS_LIMIT = 20;

/**
 * @param isNew requires a value for every column that is neither nullable nor computed
 * @param patternTests time budget shared by the rows of a call
 */
export function checkRow(
  columns: readonly Column[],
  input: Record<string, unknown>,
  { isNew, patternTests = new PatternTests() }: { isNew: boolean; patternTests?: PatternTests },
): CheckResult {
  const set: Record<string, string | null> = {};
  const errors: string[] = [];
  for (const column of columns) {
    const value = Object.hasOwn(input, column.name) ? input[column.name] : undefined;
    const fault = value === undefined ? faultOfMissing(column, isNew) : faultOfValue(column, value, patternTests);
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
  const warnings = unknown.slice(0, WARNINGS_LIMIT).map(name => `Unknown column "${startOf(name, 100)}" was ignored.`);
  const others = unknown.length - warnings.length;
  return others > 0 ? [...warnings, `${others} more unknown columns were ignored.`] : warnings;
}

const DEPTH_LIMIT = 50;

function faultOfValue(column: Column, value: unknown, patternTests: PatternTests): string | undefined {
  if (value === null) return column.nullable ? undefined : ' must have a value, not null';
  // First, because the checks below recurse into the value.
  const fault = faultOfJson(value, DEPTH_LIMIT);
  if (fault !== undefined) return ` ${fault}`;
  const declared = { ...column, nullable: true };
  if (!isDateTime(column)) return faultOfDeclared(declared, value, '') ?? faultOfPattern(column, value, patternTests);
  const instant = typeof value === 'string' ? toInstant(value) : undefined;
  if (instant !== undefined)
    return faultOfDeclared(declared, instant, '') ?? faultOfPattern(column, instant, patternTests);
  const given = typeof value === 'string' ? `"${startOf(value, 50)}"` : TYPE_NAMES[typeOf(value)];
  return ` must be an ISO 8601 date, or date-time with Z or an offset, like 2020-01-31T12:00:00Z, not ${given}`;
}

/** Keyed by identity: a changed column is a new object. */
const patterns = new WeakMap<Column, Pattern>();

function faultOfPattern(column: Column, value: unknown, patternTests: PatternTests): string | undefined {
  if (column.pattern === undefined || typeof value !== 'string') return undefined;
  const pattern = patterns.get(column) ?? compilePattern(column.pattern);
  patterns.set(column, pattern);
  const isMatch = patternTests.test(pattern, value);
  if (isMatch === undefined) {
    return ' could not be checked in time: its pattern is too slow for this much text. Write fewer rows per call, shorten the value or simplify the pattern';
  }
  return isMatch ? undefined : ` must match the pattern ${startOf(column.pattern, 200)}`;
}

const TYPE_NAMES: Record<ColumnType, string> = {
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

function faultOfDeclared(declared: object, value: unknown, path: string): string | undefined {
  const { type, enum: values, nullable, items, properties } = declared as Json;
  if (value === null) return nullable === false ? `${path} must have a value, not null` : undefined;
  if (isColumnType(type) && type !== typeOf(value)) {
    return `${path} must be ${TYPE_NAMES[type]}, not ${TYPE_NAMES[typeOf(value)]}`;
  }
  if (Array.isArray(values) && typeof value !== 'object' && !values.includes(value)) {
    return `${path} must be one of ${startOf(JSON.stringify(values).slice(1), 299)}`;
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

/** Treats missing properties as null, and accepts undeclared properties. */
function faultOfProperties(properties: Json, value: Json, path: string): string | undefined {
  for (const [key, declared] of Object.entries(properties)) {
    if (!isObject(declared)) continue;
    const each = Object.hasOwn(value, key) ? value[key] : null;
    const fault = faultOfDeclared(declared, each, `${path}.${startOf(key, 100)}`);
    if (fault !== undefined) return fault;
  }
}
