/** Rebuilds the search indexes of files and rows in steps. A run may end after any step. */

import type { EmbeddingProgress } from '#shared/core/embeddingProgress.ts';
import { rebuildFileIndex } from '#shared/domain/files/indexFile.ts';
import { indexAgain as indexSomeRowsAgain } from '#shared/domain/tables/search/indexRows.ts';
import { isSearchable } from '#shared/domain/tables/search/rowIndex.ts';
import type { File } from '#shared/storage/dynamodb/files/file.ts';
import { findFile } from '#shared/storage/dynamodb/files/files.ts';
import { inChunks } from '#shared/storage/dynamodb/lists/lists.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import { rowsInOrder } from '#shared/storage/dynamodb/tables/rowReads.ts';
import { requireTableWithIds } from '#shared/storage/dynamodb/tables/tables.ts';
import { kindOf } from '#shared/storage/dynamodb/tenants/itemKinds.ts';
import { itemsOfTenant, type Place, placeAfter } from '#shared/storage/dynamodb/tenants/tenants.ts';

export interface FilePlace {
  after?: Record<string, unknown> | undefined;
  /** The next file, if its indexing has started. */
  begun?: { fileId: string; progress: EmbeddingProgress } | undefined;
}

interface FileStep {
  place: FilePlace;
  /** The previous record of the file, set after its last step. */
  file?: File;
  isIndexed: boolean;
}

/** Yields after each file, and whenever the time is up within one, because a file may take longer than a run. */
export async function* indexFilesAgain(
  botId: string,
  { after: start, begun }: FilePlace,
  { selects, isTimeLeft }: { selects(file: File): boolean | Promise<boolean>; isTimeLeft(): boolean },
): AsyncGenerator<FileStep> {
  let after = (start as Place | undefined) ?? { section: 'files', position: undefined };
  for await (const { items, place } of itemsOfTenant({ kind: 'bot', id: botId }, after)) {
    if (place.section !== 'files') return;
    for (const item of items) {
      if (kindOf(item).kind !== 'file') continue;
      const fileId: string = item.id;
      const file = await findFile(botId, fileId);
      const isIndexed = file !== undefined && (await selects(file)) && file.indexed !== undefined;
      let progress = begun && begun.fileId === fileId ? begun.progress : undefined;
      while (isIndexed) {
        progress = await rebuildFileIndex(botId, file, { progress, isTimeLeft });
        if (!progress) break;
        yield { place: { after: { ...after }, begun: { fileId, progress } }, isIndexed: false };
      }
      after = placeAfter(place, item);
      yield { place: { after: { ...after } }, ...(file ? { file } : {}), isIndexed };
    }
    after = place;
  }
}

const ROWS_TOGETHER = 100;

/** Yields rows in order after they are indexed. @param after id of a row */
export async function* indexRowsAgain(botId: string, tableId: string, after: number): AsyncGenerator<Row[]> {
  const { table, lastId } = await requireTableWithIds(botId, tableId);
  const all = rowsInOrder(botId, tableId, lastId, { from: after + 1, to: lastId, direction: 'asc', pageSize: 500 });
  for await (const rows of inChunks(all, ROWS_TOGETHER)) {
    if (isSearchable(table)) await indexSomeRowsAgain(botId, table, rows);
    yield rows;
  }
}
