import { iso } from '#shared/api/views.ts';
import { escapeFormula } from '#shared/domain/tables/jobs/formulaEscapes.ts';
import { decode, decodeRow } from '#shared/domain/tables/schema/rowValues.ts';
import { viewTable } from '#shared/domain/tables/tableView.ts';
import type { Column } from '#shared/storage/dynamodb/tables/column.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import type { Table } from '#shared/storage/dynamodb/tables/tables.ts';

export interface RowText {
  head: string;
  separator: string;
  tail: string;
  row(row: Row): string;
}

export const csvText = (columns: readonly Column[], isRaw: boolean): RowText => ({
  head: isRaw ? rawHeader(columns) : csvLine(headerOf(columns)),
  separator: '',
  tail: '',
  row: ({ id, values, createdAtMs, updatedAtMs }) =>
    csvLine([
      String(id),
      ...columns.map(column => cell(column, values[column.id], isRaw)),
      iso(createdAtMs),
      iso(updatedAtMs),
    ]),
});

const headerOf = (columns: readonly Column[]) => ['id', ...columns.map(({ name }) => name), 'createdAt', 'updatedAt'];

/** Quoted names mark a file without escapes for the import. */
const rawHeader = (columns: readonly Column[]) => `${headerOf(columns).map(quoted).join(',')}\r\n`;

export const isEscapedHeader = (cells: readonly { text: string; isQuoted: boolean }[]): boolean =>
  cells.length > 3 &&
  !cells[0]!.isQuoted &&
  cells[0]!.text === 'id' &&
  cells.at(-2)!.text === 'createdAt' &&
  cells.at(-1)!.text === 'updatedAt';

function cell(column: Column, stored: string | undefined, isRaw: boolean): string | null {
  const value = stored === undefined ? null : decode(column, stored);
  if (typeof value === 'string') return isRaw ? value : escapeFormula(value);
  if (value === null) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Writes null as an empty cell and an empty string in quotes, to keep them distinct. */
export const csvLine = (cells: readonly (string | null)[]): string => `${cells.map(csvCell).join(',')}\r\n`;
const csvCell = (text: string | null) =>
  text === null ? '' : text === '' || /[",\r\n]|^\s|\s$/.test(text) ? quoted(text) : text;
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

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
