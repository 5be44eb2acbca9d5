/** The similarity of rows to a text. Loaded lazily, by searches only. */
import { chooseEmbedder } from '#shared/ai/chooseEmbedder.ts';
import { chooseVectorStore } from '#shared/ai/chooseVectorStore.ts';
import { rowIndexOf } from './rowIndex.ts';

/** Similarities by row id, from 0 to 1. Rows that are not indexed have none. */
export interface RowSearch {
  /** The closest rows, closest first. */
  closest(): Promise<Map<number, number>>;
  similarities(ids: readonly number[]): Promise<Map<number, number>>;
}

/** The most a vector store returns for one query. */
const CANDIDATES = 100;

/** @throws ThrottledError by the embedder or the vector store */
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
      if (!vector) return new Map();
      const matches = await store.query(index, vector, { limit: CANDIDATES });
      return byId(matches.map(({ key, similarity }): [string, number] => [key, similarity]));
    },
    similarities: async ids =>
      !vector || ids.length === 0 ? new Map() : byId(await store.similarities(index, vector, ids.map(String))),
  };
}

/** Cosine similarity below 0 counts as unrelated. */
const clampSimilarity = (similarity: number) => Math.min(1, Math.max(0, similarity));
