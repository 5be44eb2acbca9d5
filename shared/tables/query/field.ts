/** What a query reads of a row: a column, or a place inside one that holds objects or arrays. */

import type { Column, ColumnType } from '#shared/dynamodb/tables/column.ts';
import { invalidPayload } from '#shared/errors.ts';

/**
 * A row under evaluation, by the names of its columns: JSON values, and `id` (number), `createdAt` and `updatedAt` (as
 * `Date.toISOString()` writes them). What is absent is null.
 */
export type Values = Record<string, unknown>;

export interface Field {
  /** As the query calls it: `price`, `address.city`, `tags.0`. */
  name: string;
  /** The column that it is, or is in. */
  column: string;
  /** None inside a column: there may be anything. */
  type: ColumnType | undefined;
  isDateTime: boolean;
  /** The way from the column to the value; empty for the column itself. */
  parts: readonly string[];
  /** @returns null where there is nothing */
  read(row: Values): unknown;
}

const SYSTEM_FIELDS: readonly Pick<Column, 'name' | 'type' | 'format'>[] = [
  { name: 'id', type: 'number' },
  { name: 'createdAt', type: 'string', format: 'date-time' },
  { name: 'updatedAt', type: 'string', format: 'date-time' },
];
const PARTS_LIMIT = 20;

/**
 * @param name a column, or a dot path into one of type object or array
 * @param path where the name stands in the input
 * @throws InvalidPayload if there is no such column, or nothing can be inside it
 */
export function parseField(name: string, columns: readonly Column[], path: string): Field {
  const [first, ...parts] = name.split('.') as [string, ...string[]];
  const column = [...columns, ...SYSTEM_FIELDS].find(each => each.name === first);
  if (!column) throw invalidPayload(`There is no column ${quote(first)}.`, path);
  if (parts.length === 0) {
    const isDateTime = column.type === 'string' && column.format === 'date-time';
    return { name, column: first, type: column.type, isDateTime, parts, read: row => ownValue(row, first) };
  }
  if (column.type !== 'object' && column.type !== 'array') {
    throw invalidPayload(`Nothing is inside the column ${quote(first)}, which is of type ${column.type}.`, path);
  }
  if (parts.length > PARTS_LIMIT || parts.includes('')) {
    throw invalidPayload(`A path has 1 to ${PARTS_LIMIT} names behind the column, none of them empty.`, path);
  }
  const steps = parts.map(part => ({ part, isIndex: isIndex(part) }));
  return { name, column: first, type: undefined, isDateTime: false, parts, read };

  function read(row: Values) {
    let value = ownValue(row, first);
    for (const { part, isIndex } of steps) {
      // The length of an array is its own too, but no element.
      if (typeof value !== 'object' || value === null || (Array.isArray(value) && !isIndex)) return null;
      value = ownValue(value as Values, part);
    }
    return value;
  }
}

/** Whether a part of a path can be the place of an element in an array. */
export const isIndex = (part: string) => /^(?:0|[1-9]\d*)$/.test(part);

/** Only what an object has itself: a column may be called `constructor`. */
export const ownValue = (object: Values, key: string): unknown =>
  (Object.hasOwn(object, key) ? object[key] : null) ?? null;

/** A name that a caller chose, for a message. */
export const quote = (name: string) => JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);
