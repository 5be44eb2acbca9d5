import type { VectorStore } from '#shared/ai/vectorStore.ts';

export const VECTOR_VARIABLES = {
  /** `exact`, `s3:` with comma-separated vector buckets, or `none` for keyword search only. */
  vectors: 'VECTORS',
  /** Directory of the exact store's files; in memory only if unset. */
  directory: 'VECTORS_DIR',
} as const;

const none: VectorStore = {
  put: async () => true,
  remove: async () => {},
  removeIndex: async () => {},
  query: async () => [],
  similarities: async () => new Map(),
};

let chosen: { by: string; store: Promise<VectorStore> } | undefined;

/**
 * Returns one instance per configuration, because the exact store must be opened only once.
 * @throws Error that names the variable if the configuration is invalid
 */
export function chooseVectorStore(): Promise<VectorStore> {
  const by = JSON.stringify(Object.values(VECTOR_VARIABLES).map(name => process.env[name]));
  if (chosen?.by !== by) chosen = { by, store: open() };
  return chosen.store;
}

async function open(): Promise<VectorStore> {
  const choice = process.env[VECTOR_VARIABLES.vectors] || 'exact';
  if (choice === 'exact') {
    const { exact } = await import('./exact.ts');
    return exact(process.env[VECTOR_VARIABLES.directory] || undefined);
  }
  if (choice === 'none') return none;
  const buckets = /^s3:([^,]+(?:,[^,]+)*)$/.exec(choice)?.[1]?.split(',');
  if (buckets) {
    const { s3Vectors } = await import('./s3Vectors.ts');
    return s3Vectors({ buckets });
  }
  throw new Error(
    `The environment variable ${VECTOR_VARIABLES.vectors} is ${choice}: it must be exact, none or s3:<vector bucket>[,<vector bucket>…].`,
  );
}
