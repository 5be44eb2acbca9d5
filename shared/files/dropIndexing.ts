/** Takes one indexing of a file out of the index: vectors, words, and the passages themselves last, which tell what to take. */

import { chooseEmbedder } from '#shared/ai/chooseEmbedder.ts';
import { chooseVectorStore } from '#shared/ai/chooseVectorStore.ts';
import { removePassages } from '#shared/dynamodb/files/cleanup.ts';
import { allPassages, type NumberedPassage, passageName } from '#shared/dynamodb/files/passages.ts';
import { inChunks } from '#shared/dynamodb/lists.ts';
import { OutOfTime } from '#shared/dynamodb/partitionCleanup.ts';
import type { Passage } from '#shared/passage.ts';
import { dropTerms } from '#shared/search/keywordIndex.ts';
import { searchIndexOf } from './searchIndex.ts';

export interface Indexing {
  botId: string;
  fileId: string;
  indexingId: string;
}

const TOGETHER = 200;

/**
 * Takes away all that the table knows of an indexing. Doing so twice does no harm.
 * @returns how many passages
 * @throws OutOfTime
 */
export async function dropIndexing(indexing: Indexing, isTimeLeft: () => boolean): Promise<number> {
  let removed = 0;
  const { botId, fileId, indexingId } = indexing;
  for await (const passages of inChunks(allPassages(botId, fileId, indexingId), TOGETHER)) {
    if (!isTimeLeft()) throw new OutOfTime();
    await dropSome(indexing, passages);
    removed += passages.length;
  }
  return removed;
}

/** The same for whoever has put them there just now: that others may have taken the passages away does not hide the rest. */
export async function dropOwn(indexing: Indexing, passages: readonly Passage[]): Promise<void> {
  const numbered = passages.map((passage, number) => ({ ...passage, number }));
  for (let i = 0; i < numbered.length; i += TOGETHER) await dropSome(indexing, numbered.slice(i, i + TOGETHER));
}

async function dropSome({ botId, fileId, indexingId }: Indexing, passages: readonly NumberedPassage[]): Promise<void> {
  const [embedder, store] = await Promise.all([chooseEmbedder(), chooseVectorStore()]);
  const names = passages.map(({ number }) => passageName({ fileId, indexingId, number }));
  await store.remove(searchIndexOf(botId, embedder), names);
  const texts = passages.map(({ content }) => content);
  await dropTerms(botId, fileId, indexingId, texts);
  await removePassages(
    botId,
    fileId,
    indexingId,
    passages.map(({ number }) => number),
  );
}
