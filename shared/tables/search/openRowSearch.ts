/** How close a table's rows are to what is searched for. A function loads this only when it searches. */
import { chooseEmbedder } from '#shared/ai/chooseEmbedder.ts';
import { chooseVectorStore } from '#shared/ai/chooseVectorStore.ts';
import { rowIndexOf } from './rowIndex.ts';

/** By the ids of rows, from 0 to 1; rows that are not indexed have none. */
export interface RowSearch {
  /** The closest, closest first. */
  closest(): Promise<Map<number, number>>;
  /** Just these. */
  similarities(ids: readonly number[]): Promise<Map<number, number>>;
}

/** A vector store finds no more at once. */
const CANDIDATES = 100;

/** @throws Throttled when the service that embeds or keeps vectors asks to come back later */
export async function openRowSearch(
  { bot, table }: { bot: { id: string }; table: { id: string } },
  text: string,
): Promise<RowSearch> {
  const [embedder, store] = await Promise.all([chooseEmbedder(), chooseVectorStore()]);
  const [vector] = await embedder.embed([text], 'query');
  const index = rowIndexOf(bot.id, table.id, embedder);
  const byId = (found: Iterable<[string, number]>) =>
    new Map([...found].map(([key, similarity]) => [Number(key), clampSimilarity(similarity)]));
  return {
    closest: async () => {
      const matches = await store.query(index, vector!, { limit: CANDIDATES });
      return byId(matches.map(({ key, similarity }): [string, number] => [key, similarity]));
    },
    similarities: async ids =>
      ids.length === 0 ? new Map() : byId(await store.similarities(index, vector!, ids.map(String))),
  };
}

/** What points elsewhere is no closer than what has nothing to do with it. */
const clampSimilarity = (similarity: number) => Math.min(1, Math.max(0, similarity));
