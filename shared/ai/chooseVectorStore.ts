/** Where vectors are kept, as the operator chose by the environment. */
import type { VectorStore } from './vectorStore.ts';

export const VECTOR_VARIABLES = {
  /** `exact`, `s3:<vector bucket>`, or `none`: by words alone. */
  vectors: 'VECTORS',
  /** Where the exact store has its files; without it, it has none. */
  directory: 'VECTORS_DIR',
} as const;

let chosen: { by: string; store: Promise<VectorStore> } | undefined;

/**
 * The same for as long as the environment is: the exact store must be opened once only.
 * @throws when it makes no sense, naming the variable
 */
export function chooseVectorStore(): Promise<VectorStore> {
  const by = JSON.stringify(Object.values(VECTOR_VARIABLES).map(name => process.env[name]));
  if (chosen?.by !== by) chosen = { by, store: open() };
  return chosen.store;
}

/** What it does not choose is not loaded. */
async function open(): Promise<VectorStore> {
  const choice = process.env[VECTOR_VARIABLES.vectors] || 'exact';
  if (choice === 'exact') {
    const { exact } = await import('./vectorStores/exact.ts');
    return exact(process.env[VECTOR_VARIABLES.directory] || undefined);
  }
  if (choice === 'none') {
    const { none } = await import('./vectorStores/none.ts');
    return none;
  }
  const vectorBucketName = /^s3:(.+)$/.exec(choice)?.[1];
  if (vectorBucketName) {
    const { s3Vectors } = await import('./vectorStores/s3Vectors.ts');
    return s3Vectors({ vectorBucketName });
  }
  throw new Error(
    `The environment variable ${VECTOR_VARIABLES.vectors} is ${choice}: it must be exact, none or s3:<vector bucket>.`,
  );
}
