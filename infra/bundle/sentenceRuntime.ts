/** Packages ONNX Runtime into Lambda layers, where Node resolves it in `/opt/nodejs/node_modules`. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { RUNTIME_FILES } from '#shared/ai/embedders/sentenceModels/onnxRuntime.ts';
import { ROOT } from './entries.ts';

const PACKAGE = 'node_modules/onnxruntime-web';
/** The package has 139 MB, of which inference needs 14 MB. */
const FILES = ['package.json', 'README.md', ...Object.values(RUNTIME_FILES).map(file => `dist/${file}`)];

/** Copies the runtime into a layer's folder. */
export function copySentenceRuntime(layer: string): void {
  for (const file of FILES) cpSync(join(ROOT, PACKAGE, file), join(layer, 'nodejs', PACKAGE, file));
}
