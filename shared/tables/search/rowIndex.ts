/** The index in which a table's rows are found by their meaning: one for each table and embedder, a vector for each row. */
import { createHash } from 'node:crypto';
import type { Embedder } from '#shared/ai/embedder.ts';
import type { Row } from '#shared/dynamodb/tables/row.ts';
import type { Table } from '#shared/dynamodb/tables/tables.ts';

/** Stores take 63 of `a-z0-9-` for a name. */
export const rowIndexOf = (botId: string, tableId: string, { id }: Embedder): string =>
  `rows-${createHash('sha256').update(`${botId} ${tableId} ${id}`).digest('hex').slice(0, 48)}`;

/** Beyond that a text adds little to its vector. */
const TEXT_LENGTH = 8_000;

/** What a row is found by: its searchable columns. Undefined when they are empty. */
export function searchTextOf(table: Table, { values }: Pick<Row, 'values'>): string | undefined {
  const texts = table.columns.flatMap(({ id, searchable }) => (searchable && values[id] ? [values[id]] : []));
  return texts.length === 0 ? undefined : texts.join('\n').slice(0, TEXT_LENGTH);
}

export const isSearchable = (table: Table) => table.columns.some(({ searchable }) => searchable);
