/** Formats rows as CSV (RFC 4180), or as JSON that an import reads back. */

import { iso } from '#shared/api/views.ts';
import type { Column } from '#shared/dynamodb/tables/column.ts';
import type { Row } from '#shared/dynamodb/tables/row.ts';
import type { Table } from '#shared/dynamodb/tables/tables.ts';
import { decode, decodeRow } from '#shared/tables/rows/values.ts';
import { viewTable } from '#shared/tables/tableView.ts';

export interface RowText {
  head: string;
  separator: string;
  tail: string;
  row(row: Row): string;
}

export const csvText = (columns: readonly Column[]): RowText => ({
  head: csvLine(['id', ...columns.map(({ name }) => name), 'createdAt', 'updatedAt']),
  separator: '',
  tail: '',
  row: ({ id, values, createdAtMs, updatedAtMs }) =>
    csvLine([
      String(id),
      ...columns.map(column => cell(column, values[column.id])),
      iso(createdAtMs),
      iso(updatedAtMs),
    ]),
});

function cell(column: Column, stored: string | undefined): string | null {
  const value = stored === undefined ? null : decode(column, stored);
  if (value === null || typeof value === 'string') return value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Null is an empty cell, and an empty text is quoted, so that they stay distinct. */
export const csvLine = (cells: readonly (string | null)[]): string => `${cells.map(csvCell).join(',')}\r\n`;
const csvCell = (text: string | null) =>
  text === null ? '' : text === '' || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

export function jsonText(table: Table, columns: readonly Column[]): RowText {
  const { name, schema, keyColumn, factor, tags } = viewTable(table);
  return {
    head: `{"table":${JSON.stringify({ name, schema, keyColumn, factor, tags })},"rows":[\n`,
    separator: ',\n',
    tail: '\n]}\n',
    row: ({ id, values, createdAtMs, updatedAtMs }) =>
      JSON.stringify({
        id,
        ...decodeRow(columns, values),
        createdAt: iso(createdAtMs),
        updatedAt: iso(updatedAtMs),
      }),
  };
}
