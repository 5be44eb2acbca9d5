/**
 * Indexing rows: each has a vector of its searchable columns, or none when they are empty. The index is not part of a row's
 * writes, so whoever puts a vector looks again what the row is by then: however many do so at once, the last of them leaves
 * the vector of the row as it is.
 */

import { chooseEmbedder } from '#shared/ai/chooseEmbedder.ts';
import { chooseVectorStore } from '#shared/ai/chooseVectorStore.ts';
import type { Embedder } from '#shared/ai/embedder.ts';
import type { VectorStore } from '#shared/ai/vectorStore.ts';
import { mapConcurrently } from '#shared/concurrency.ts';
import { findRows } from '#shared/dynamodb/tables/rowReads.ts';
import { markIndexed } from '#shared/dynamodb/tables/rowWrites.ts';
import { type Row } from '#shared/dynamodb/tables/row.ts';
import { findTable, type Table } from '#shared/dynamodb/tables/tables.ts';
import { rowIndexOf, searchTextOf } from './rowIndex.ts';

/** The group of a vector, which nothing limits a search of rows to. */
const GROUP = 'row';
const MARKED_AT_ONCE = 16;
/** A row that changes all the time is left to the job of its last change. */
const ROUNDS = 10;

interface Index {
  botId: string;
  name: string;
  embedder: Embedder;
  store: VectorStore;
}

/**
 * Brings the vectors of rows up to date, also of those that are gone. Doing so twice does no harm.
 * @throws Throttled when the service that embeds or keeps vectors asks to come back later
 */
export async function indexRows(botId: string, table: Table, ids: readonly number[]): Promise<void> {
  const [embedder, store] = await Promise.all([chooseEmbedder(), chooseVectorStore()]);
  const index = { botId, name: rowIndexOf(botId, table.id, embedder), embedder, store };
  const rows = await findRows(botId, table.id, ids);
  let open = ids.flatMap((id, i) => (rows[i]?.isUnindexed === false ? [] : [snapshotOf(table, id, rows[i])]));
  for (let round = 0; open.length > 0 && round < ROUNDS; round++) {
    await putVectors(index, open);
    open = await markUnchanged(index, table.id, open);
  }
}

/** By what a row is to be found, as it was seen; by nothing if it was gone. */
interface Snapshot {
  id: number;
  text: string | undefined;
}
const snapshotOf = (table: Table, id: number, row: Row | undefined): Snapshot => ({
  id,
  text: row && searchTextOf(table, row),
});

async function putVectors({ name, embedder, store }: Index, seen: readonly Snapshot[]): Promise<void> {
  const texts = seen.flatMap(({ id, text }) => (text === undefined ? [] : [{ key: String(id), text }]));
  const empty = seen.flatMap(({ id, text }) => (text === undefined ? [String(id)] : []));
  if (texts.length > 0) {
    const vectors = await embedder.embed(
      texts.map(({ text }) => text),
      'passage',
    );
    await store.put(
      name,
      vectors.map((vector, i) => ({ key: texts[i]!.key, vector, group: GROUP })),
    );
  }
  if (empty.length > 0) await store.remove(name, empty);
}

/** Says of rows that they are indexed. @returns those that are to be found by something else now */
async function markUnchanged({ botId, name, store }: Index, tableId: string, put: readonly Snapshot[]): Promise<Snapshot[]> {
  const table = await findTable(botId, tableId);
  if (!table) {
    // Its index was removed, maybe before this put something into it.
    await store.removeIndex(name);
    return [];
  }
  const rows = await findRows(
    botId,
    tableId,
    put.map(({ id }) => id),
  );
  const ends = await mapConcurrently(put, MARKED_AT_ONCE, async ({ id, text }, i): Promise<Snapshot[]> => {
    const row = rows[i];
    const now = snapshotOf(table, id, row);
    if (now.text !== text) return [now];
    if (row?.isUnindexed) await markIndexed(botId, tableId, row);
    return [];
  });
  return ends.flat();
}
