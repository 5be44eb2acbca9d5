import type { VectorStore } from '#shared/ai/vectorStore.ts';

export const none: VectorStore = {
  put: async () => true,
  remove: async () => {},
  removeIndex: async () => {},
  query: async () => [],
  similarities: async () => new Map(),
};
