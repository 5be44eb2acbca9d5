/** The columns of a table in SQL: their names, and their values as SQLite compares them. */

import { decode } from '#shared/domain/tables/schema/values.ts';
import type { Column } from '#shared/storage/dynamodb/tables/column.ts';

/** A number, a boolean as 0 or 1, a text, or JSON as text; null for no value. */
export type SqlValue = number | string | null;

/** SQLite ignores the case of names, and the ids of columns are told apart by it. */
export const sqlName = (columnId: string): string =>
  `"_${columnId.replaceAll(/[A-Z]/g, letter => `$${letter.toLowerCase()}`)}"`;

/** @param text as rows store it; one that is not a value of the column counts as none */
export function toSql(column: Column, text: string | undefined): SqlValue {
  if (text === undefined) return null;
  const value = decode(column, text);
  if (value === null) return null;
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'number' || typeof value === 'string' ? value : text;
}

/** The reverse of {@link toSql}: the text that rows store, for a value that is there. */
export const fromSql = (value: number | string): string => String(value);
