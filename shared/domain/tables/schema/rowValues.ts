/** Row values in two forms: JSON by column name in the API, strings by column id in storage. */

import { toInstant } from '#shared/domain/tables/query/instant.ts';
import type { Column, ColumnType } from '#shared/storage/dynamodb/tables/column.ts';

export type Values = Record<string, unknown>;
export type Stored = Record<string, string>;

/** Encodes a non-null value for {@link decode}. Date-times are normalized to `Date.toISOString()`. */
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

/** Returns null for a string that does not fit the column, for example from before the column changed. */
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

export const decodeRow = (columns: readonly Column[], stored: Stored): Values =>
  Object.fromEntries(
    columns.map(column => {
      const text = Object.hasOwn(stored, column.id) ? stored[column.id] : undefined;
      return [column.name, text === undefined ? null : decode(column, text)];
    }),
  );

export const isDateTime = ({ type, format }: Column) => type === 'string' && format === 'date-time';

export const rowBytes = (stored: Stored): number =>
  Object.entries(stored).reduce((sum, [id, text]) => sum + Buffer.byteLength(id) + Buffer.byteLength(text), 0);

export const typeOf = (value: unknown): ColumnType =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'array'
      : (typeof value as 'string' | 'number' | 'boolean' | 'object');
