import { decode } from '#shared/domain/tables/schema/rowValues.ts';
import type { Column } from '#shared/storage/dynamodb/tables/column.ts';

/** Booleans are 0 or 1; objects and arrays are JSON. */
export type SqlValue = number | string | null;

/** Escapes upper case: column ids are case-sensitive, SQLite names are not. */
export const sqlName = (columnId: string): string =>
  `"_${columnId.replaceAll(/[A-Z]/g, letter => `$${letter.toLowerCase()}`)}"`;

export function toSql(column: Column, text: string | undefined): SqlValue {
  if (text === undefined) return null;
  const value = decode(column, text);
  if (value === null) return null;
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'number' || typeof value === 'string' ? value : text;
}

export const fromSql = (value: number | string): string => String(value);
