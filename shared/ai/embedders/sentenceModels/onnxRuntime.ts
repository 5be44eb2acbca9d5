import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Runtime from 'onnxruntime-web';

const PACKAGE = 'onnxruntime-web/wasm';

/** Files in the package's `dist` folder that inference needs. Most of its 139 MB are for browsers and GPUs. */
export const RUNTIME_FILES = {
  main: 'ort.wasm.min.js',
  loader: 'ort-wasm-simd-threaded.mjs',
  wasm: 'ort-wasm-simd-threaded.wasm',
} as const;

/** Resolved at run time, because bundles do not contain the package. In Lambda, a layer does. */
export function openOnnxRuntime(): typeof Runtime {
  const require = createRequire(import.meta.filename);
  const folder = dirname(require.resolve(PACKAGE));
  const runtime: typeof Runtime = require(PACKAGE);
  const { wasm } = runtime.env;
  // More threads would block the cores of other work, and take more CPU time for the same text.
  wasm.numThreads = 1;
  wasm.wasmPaths = { mjs: pathToFileURL(join(folder, RUNTIME_FILES.loader)).href };
  // Passed as bytes, because the runtime would fetch the file.
  wasm.wasmBinary = readFileSync(join(folder, RUNTIME_FILES.wasm));
  return runtime;
}
