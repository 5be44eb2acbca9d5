/** Imported lazily, because it loads AWS clients. */
import { chooseEmbedder } from '#shared/ai/embedders/chooseEmbedder.ts';
import { chooseVectorStore } from '#shared/ai/vectorStores/chooseVectorStore.ts';
import { rowIndexOf } from './rowIndex.ts';
import { withSpelling } from './withSpelling.ts';

/** Similarities by row id, from 0 to 1. Rows that are not indexed have none. */
export interface RowSearch {
  closest(): Promise<Map<number, number>>;
  similarities(ids: readonly number[]): Promise<Map<number, number>>;
}

const CANDIDATES = 100;

export async function openRowSearch(
  { bot, table }: { bot: { id: string }; table: { id: string } },
  text: string,
): Promise<RowSearch> {
  const [embedder, store] = await Promise.all([chooseEmbedder(), chooseVectorStore()]);
  const [vector] = withSpelling(embedder, [text], await embedder.embed([text], 'query', bot.id));
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

const clampSimilarity = (similarity: number) => Math.min(1, Math.max(0, similarity));
