import { createHash } from 'node:crypto';
import type { EmbeddingModel } from '#shared/ai/embedder.ts';
import { startOf } from '#shared/core/excerpt.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import type { Table } from '#shared/storage/dynamodb/tables/tables.ts';

/** Vector stores limit names to 63 characters of `a-z0-9-`. */
export const rowIndexOf = (botId: string, tableId: string, { id }: Pick<EmbeddingModel, 'id'>): string =>
  `rows-${createHash('sha256').update(`${botId} ${tableId} ${id}`).digest('hex').slice(0, 48)}`;

/** More text hardly changes a vector. */
const TEXT_LENGTH = 8_000;

export function searchTextOf(table: Table, { values }: Pick<Row, 'values'>): string | undefined {
  const texts = table.columns.flatMap(({ id, searchable }) => (searchable && values[id] ? [values[id]] : []));
  return texts.length === 0 ? undefined : startOf(texts.join('\n'), TEXT_LENGTH);
}

export const isSearchable = (table: Table) => table.columns.some(({ searchable }) => searchable);
