import { invalidPayload } from '#shared/core/errors.ts';
import { startOf } from '#shared/core/excerpt.ts';
import type { Column, ColumnType } from '#shared/storage/dynamodb/tables/column.ts';

/** Row values by column name: JSON plus `id`, `createdAt` and `updatedAt` (ISO strings). Missing values are null. */
export type Values = Record<string, unknown>;

export interface Field {
  name: string;
  column: string;
  type: ColumnType | undefined;
  isDateTime: boolean;
  parts: readonly string[];
  read(row: Values): unknown;
}

const SYSTEM_FIELDS: readonly Pick<Column, 'name' | 'type' | 'format'>[] = [
  { name: 'id', type: 'number' },
  { name: 'createdAt', type: 'string', format: 'date-time' },
  { name: 'updatedAt', type: 'string', format: 'date-time' },
];
const PARTS_LIMIT = 20;

export function parseField(name: string, columns: readonly Column[], path: string): Field {
  const [first, ...parts] = name.split('.') as [string, ...string[]];
  const column = [...columns, ...SYSTEM_FIELDS].find(each => each.name === first);
  if (!column) throw invalidPayload(`The table has no column ${quote(first)}.`, path);
  if (parts.length === 0) {
    const isDateTime = column.type === 'string' && column.format === 'date-time';
    return { name, column: first, type: column.type, isDateTime, parts, read: row => ownValue(row, first) };
  }
  if (column.type !== 'object' && column.type !== 'array') {
    throw invalidPayload(
      `The column ${quote(first)} is of type ${column.type}. Paths require type object or array.`,
      path,
    );
  }
  if (parts.length > PARTS_LIMIT || parts.includes('')) {
    throw invalidPayload(`A path must have 1 to ${PARTS_LIMIT} non-empty names after the column.`, path);
  }
  const steps = parts.map(part => ({ part, isIndex: isIndex(part) }));
  return { name, column: first, type: undefined, isDateTime: false, parts, read };

  function read(row: Values) {
    let value = ownValue(row, first);
    for (const { part, isIndex } of steps) {
      // Excludes an array's own property `length`.
      if (typeof value !== 'object' || value === null || (Array.isArray(value) && !isIndex)) return null;
      value = ownValue(value as Values, part);
    }
    return value;
  }
}

export const isIndex = (part: string) => /^(?:0|[1-9]\d*)$/.test(part);

/** Reads own properties only: a column may be called `constructor`. */
export const ownValue = (object: Values, key: string): unknown =>
  (Object.hasOwn(object, key) ? object[key] : null) ?? null;

export const quote = (name: string) => JSON.stringify(name.length > 100 ? `${startOf(name, 100)}…` : name);
