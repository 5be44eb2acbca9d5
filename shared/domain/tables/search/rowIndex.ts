/** The search index of a table's rows: one per table and embedder, with one vector per row. */
import { createHash } from 'node:crypto';
import type { Embedder } from '#shared/ai/embedder.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import type { Table } from '#shared/storage/dynamodb/tables/tables.ts';

/** Vector stores allow 63 of `a-z0-9-` in a name. */
export const rowIndexOf = (botId: string, tableId: string, { id }: Embedder): string =>
  `rows-${createHash('sha256').update(`${botId} ${tableId} ${id}`).digest('hex').slice(0, 48)}`;

/** More text adds little to a vector. */
const TEXT_LENGTH = 8_000;

/** The text a row is indexed by: its searchable values. Undefined when they are all empty. */
export function searchTextOf(table: Table, { values }: Pick<Row, 'values'>): string | undefined {
  const texts = table.columns.flatMap(({ id, searchable }) => (searchable && values[id] ? [values[id]] : []));
  return texts.length === 0 ? undefined : texts.join('\n').slice(0, TEXT_LENGTH);
}

export const isSearchable = (table: Table) => table.columns.some(({ searchable }) => searchable);
