/** Removes an indexing of a file. Removes passages last, because they identify the vectors and terms. */
import { chooseEmbeddingModel } from '#shared/ai/embedders/chooseEmbeddingModel.ts';
import { dropTerms } from '#shared/ai/search/keywordIndex.ts';
import { chooseVectorStore } from '#shared/ai/vectorStores/chooseVectorStore.ts';
import { chunksOf } from '#shared/core/concurrency.ts';
import type { Passage } from '#shared/core/passage.ts';
import { removePassages } from '#shared/storage/dynamodb/cleanup/files.ts';
import { OutOfTime } from '#shared/storage/dynamodb/engine/partitionCleanup.ts';
import { allPassages, type NumberedPassage, passageName } from '#shared/storage/dynamodb/files/passages.ts';
import { inChunks } from '#shared/storage/dynamodb/lists/lists.ts';
import { searchIndexOf } from './searchIndex.ts';

export interface Indexing {
  botId: string;
  fileId: string;
  indexingId: string;
  space?: string | undefined;
}

const CHUNK = 200;

/** Removes an indexing by its stored passages. Idempotent. Returns the number of passages. @throws OutOfTime */
export async function dropIndexing(indexing: Indexing, isTimeLeft: () => boolean): Promise<number> {
  let removed = 0;
  const { botId, fileId, indexingId } = indexing;
  for await (const passages of inChunks(allPassages(botId, fileId, indexingId), CHUNK)) {
    if (!isTimeLeft()) throw new OutOfTime();
    await dropChunk(indexing, passages);
    removed += passages.length;
  }
  return removed;
}

/** Removes an indexing whose passages are in memory, because the stored ones may already be deleted. */
export async function dropPassages(indexing: Indexing, passages: readonly Passage[]): Promise<void> {
  const numbered = passages.map((passage, number) => ({ ...passage, number }));
  for (const chunk of chunksOf(numbered, CHUNK)) await dropChunk(indexing, chunk);
}

export async function removeVectors(
  { botId, fileId, indexingId, space: former }: Indexing,
  numbers: readonly number[],
): Promise<void> {
  const [model, store] = await Promise.all([chooseEmbeddingModel(), chooseVectorStore()]);
  const keys = numbers.map(number => passageName({ fileId, indexingId, number }));
  for (const id of new Set([model.id, former ?? model.id])) {
    for (const chunk of chunksOf(keys, CHUNK)) await store.remove(searchIndexOf(botId, { id }), chunk);
  }
}

async function dropChunk(indexing: Indexing, passages: readonly NumberedPassage[]): Promise<void> {
  const { botId, fileId, indexingId } = indexing;
  await removeVectors(
    indexing,
    passages.map(({ number }) => number),
  );
  const texts = passages.map(({ content }) => content);
  await dropTerms(botId, fileId, indexingId, texts);
  await removePassages(
    botId,
    fileId,
    indexingId,
    passages.map(({ number }) => number),
  );
}
