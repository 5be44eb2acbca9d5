/** No vectors at all, where the operator has no store for them: what is searched is found by its words. */
import type { VectorStore } from '#shared/ai/vectorStore.ts';

export const none: VectorStore = {
  put: async () => {},
  remove: async () => {},
  removeIndex: async () => {},
  query: async () => [],
  similarities: async () => new Map(),
};
