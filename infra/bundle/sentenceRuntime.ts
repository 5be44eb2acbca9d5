/** The runtime of sentence models in a Lambda layer. Lambda's Node runtimes search `/opt/nodejs/node_modules`. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { RUNTIME_FILES } from '#shared/ai/embedders/sentenceModels/onnxRuntime.ts';
import { ROOT } from './entries.ts';

const PACKAGE = 'node_modules/onnxruntime-web';
/** Of the package's 139 MB, a model needs 14 MB. */
const FILES = ['package.json', 'README.md', ...Object.values(RUNTIME_FILES).map(file => `dist/${file}`)];

/** Copies the runtime into a layer's folder. */
export function copySentenceRuntime(layer: string): void {
  for (const file of FILES) cpSync(join(ROOT, PACKAGE, file), join(layer, 'nodejs', PACKAGE, file));
}
