import { chooseEmbeddingModel } from '#shared/ai/embedders/chooseEmbeddingModel.ts';
import { FORMER_MODELS } from '#shared/ai/embedders/formerEmbeddingModels.ts';
import { chooseVectorStore } from '#shared/ai/vectorStores/chooseVectorStore.ts';

/** Removes the indexes of the current and of all former embedders. */
export async function removeIndexes(indexOf: (model: { id: string }) => string): Promise<void> {
  const [model, store] = await Promise.all([chooseEmbeddingModel(), chooseVectorStore()]);
  for (const id of new Set([model.id, ...FORMER_MODELS])) await store.removeIndex(indexOf({ id }));
}
