import { chooseSpace } from '#shared/ai/embedders/chooseSpace.ts';
import { FORMER_SPACES } from '#shared/ai/embedders/formerSpaces.ts';
import { chooseVectorStore } from '#shared/ai/vectorStores/chooseVectorStore.ts';

/** Removes the indexes of the current and of all former embedders. */
export async function removeIndexes(indexOf: (space: { id: string }) => string): Promise<void> {
  const [space, store] = await Promise.all([chooseSpace(), chooseVectorStore()]);
  for (const id of new Set([space.id, ...FORMER_SPACES])) await store.removeIndex(indexOf({ id }));
}
