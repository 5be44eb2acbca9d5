/**
 * The search index is outside the row's transaction, so each run reads the row again after storing its vector. The last
 * of several concurrent runs stores the current vector.
 */

import type { Embedder } from '#shared/ai/embedder.ts';
import { chooseEmbedder } from '#shared/ai/embedders/chooseEmbedder.ts';
import type { VectorStore } from '#shared/ai/vectorStore.ts';
import { chooseVectorStore } from '#shared/ai/vectorStores/chooseVectorStore.ts';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { embedPassages } from '#shared/domain/spend/embed.ts';
import type { Spender } from '#shared/domain/spend/reserve.ts';
import { logBatch } from '#shared/domain/tables/rows/logged.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import { findRows } from '#shared/storage/dynamodb/tables/rowReads.ts';
import { markIndexed } from '#shared/storage/dynamodb/tables/rowWrites.ts';
import { findTableToWrite, type Table } from '#shared/storage/dynamodb/tables/tables.ts';
import { rowIndexOf, searchTextOf } from './rowIndex.ts';
import { withSpelling } from './withSpelling.ts';

/** Vectors require a group; row searches do not filter by it. */
const GROUP = 'row';
const CONCURRENT_MARKS = 16;
/** The job of the last change indexes a row that keeps changing. */
const ROUNDS = 10;

interface Index {
  botId: string;
  name: string;
  store: VectorStore;
  embed(texts: readonly string[]): ReturnType<Embedder['embed']>;
}

export async function indexRows(spender: Spender, table: Table, ids: readonly number[]): Promise<void> {
  const { botId } = spender;
  const [embedder, store] = await Promise.all([chooseEmbedder(), chooseVectorStore()]);
  const embed = async (texts: readonly string[]) =>
    withSpelling(embedder, texts, await embedPassages(spender, embedder, texts));
  const index = { botId, name: rowIndexOf(botId, table.id, embedder), embed, store };
  const rows = await findRows(botId, table.id, ids);
  let open = ids.flatMap((id, i) => (rows[i]?.isUnindexed === false ? [] : [snapshotOf(table, id, rows[i])]));
  for (let round = 0; open.length > 0 && round < ROUNDS; round++) {
    await putVectors(index, open);
    open = await markUnchanged(index, table.id, open);
  }
}

/**
 * Restores the vectors of rows, after an import or for another embedder, at the operator's expense. Rows that change
 * meanwhile get the vector of their latest text. Idempotent.
 */
export async function indexAgain(botId: string, table: Table, rows: readonly Row[]): Promise<void> {
  const [embedder, store] = await Promise.all([chooseEmbedder(), chooseVectorStore()]);
  const embed = async (texts: readonly string[]) =>
    withSpelling(embedder, texts, await embedder.embed(texts, 'passage', botId));
  const index = { botId, name: rowIndexOf(botId, table.id, embedder), embed, store };
  let open = rows.map(row => snapshotOf(table, row.id, row)).filter(({ text }) => text !== undefined);
  for (let round = 0; open.length > 0 && round < ROUNDS; round++) {
    await putVectors(index, open);
    open = (await findChanged(index, table.id, open)).changed;
  }
}

interface Snapshot {
  id: number;
  text: string | undefined;
}
const snapshotOf = (table: Table, id: number, row: Row | undefined): Snapshot => ({
  id,
  text: row && searchTextOf(table, row),
});

async function putVectors({ name, embed, store }: Index, seen: readonly Snapshot[]): Promise<void> {
  const texts = seen.flatMap(({ id, text }) => (text === undefined ? [] : [{ key: String(id), text }]));
  const vectors = texts.length > 0 ? await embed(texts.map(({ text }) => text)) : [];
  const stored = texts.flatMap(({ key }, i) => (vectors[i] ? [{ key, vector: vectors[i], group: GROUP }] : []));
  if (stored.length > 0) await store.put(name, stored);
  const keys = new Set(stored.map(({ key }) => key));
  const others = seen.map(({ id }) => String(id)).filter(key => !keys.has(key));
  if (others.length > 0) await store.remove(name, others);
}

interface Seen {
  changed: Snapshot[];
  unchanged: Row[];
  table: Table | undefined;
}

/** Compares the texts of stored vectors with the current texts of the rows. */
async function findChanged({ botId, name, store }: Index, tableId: string, put: readonly Snapshot[]): Promise<Seen> {
  const table = await findTableToWrite(botId, tableId);
  if (!table) {
    // The index was deleted with the table, but this run may have recreated it.
    await store.removeIndex(name);
    return { changed: [], unchanged: [], table };
  }
  const rows = await findRows(
    botId,
    tableId,
    put.map(({ id }) => id),
  );
  const seen: Seen = { changed: [], unchanged: [], table };
  for (const [i, { id, text }] of put.entries()) {
    const row = rows[i];
    const current = snapshotOf(table, id, row);
    if (current.text !== text) seen.changed.push(current);
    else if (row) seen.unchanged.push(row);
  }
  return seen;
}

async function markUnchanged(index: Index, tableId: string, put: readonly Snapshot[]): Promise<Snapshot[]> {
  const { botId } = index;
  const { changed, unchanged, table } = await findChanged(index, tableId, put);
  if (!table) return [];
  const marked = unchanged.filter(({ isUnindexed }) => isUnindexed);
  const ids = marked.map(({ id }) => id);
  await logBatch({ bot: { id: botId }, table }, ids, () =>
    mapConcurrently(marked, CONCURRENT_MARKS, row => markIndexed(botId, tableId, row)),
  );
  return changed;
}
