/**
 * The Lambda layer of the local embedder: its model and the runtime. The embedder's thread (`CHILD_PROGRAMS`) resolves
 * both like packages in `node_modules`.
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { BUNDLES, ROOT } from './entries.ts';
import { copySentenceRuntime } from './sentenceRuntime.ts';

export const EMBEDDER_LAYER = 'embedderLayer';

const MODEL = 'node_modules/@parley/all-minilm-l6-v2';

export function buildEmbedderLayer(layer = join(BUNDLES, EMBEDDER_LAYER)): void {
  copySentenceRuntime(layer);
  // npm links a package of the repository.
  cpSync(join(ROOT, MODEL), join(layer, 'nodejs', MODEL), { recursive: true, dereference: true });
}
