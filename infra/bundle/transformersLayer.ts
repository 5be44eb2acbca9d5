/**
 * The Lambda layer of `search=transformers`: the runtime for one platform, and a model that `npm run model` downloaded.
 * Synchronous, because the CDK's constructs are.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { dimensionsIn } from '#shared/ai/embedders/transformersFolder.ts';
import { ROOT } from './entries.ts';

/** Packages that embedding loads. The runtime's other packages are for browsers, images and installation. */
const PACKAGES = [
  '@huggingface/transformers',
  '@huggingface/jinja',
  '@huggingface/tokenizers',
  'onnxruntime-node',
  'onnxruntime-common',
];
const INSTALL = 'npm install --no-save @huggingface/transformers';
/** The runtime requires this package for images, which embedding does not use. */
const UNUSED_PACKAGE = 'sharp';
/** Lambda's limit for a function with its layers is 250 MB. Bundles take 5 MB. */
const MAX_BYTES = 240_000_000;

export const TRANSFORMERS_LAYER = 'transformersLayer';

const MODELS = 'models';
/** Lambda's mount point of layers. */
const MOUNT = '/opt';

export interface TransformersLayer {
  /** The model's folder in a function. */
  folder: string;
  dimensions: number;
}

/**
 * Writes the layer to a folder, which it empties.
 * @param model the folder of a model
 * @throws Error that names a missing package or model, or the size
 */
export function writeTransformersLayer(
  target: string,
  model: string,
  { architecture = 'arm64', packages = join(ROOT, 'node_modules') } = {},
): TransformersLayer {
  const config = join(model, 'config.json');
  const dimensions = existsSync(config) ? dimensionsIn(readFileSync(config, 'utf8')) : undefined;
  if (!dimensions) throw new Error(`${model} contains no model. Download one with npm run model.`);
  const missing = PACKAGES.find(name => !existsSync(join(packages, name)));
  if (missing) throw new Error(`The package ${missing} is not installed. Run ${INSTALL}.`);

  rmSync(target, { recursive: true, force: true });
  const modules = join(target, 'nodejs/node_modules');
  for (const name of PACKAGES) {
    const root = join(packages, name);
    const isNeeded = (path: string) => isLoaded(path.slice(root.length), architecture);
    cpSync(root, join(modules, name), { recursive: true, dereference: true, filter: isNeeded });
  }
  mkdirSync(join(modules, UNUSED_PACKAGE));
  writeFileSync(join(modules, UNUSED_PACKAGE, 'index.js'), 'module.exports = {};\n');
  const name = join(MODELS, basename(dirname(model)), basename(model));
  cpSync(model, join(target, name), { recursive: true, dereference: true });

  const bytes = sizeOf(target);
  if (bytes > MAX_BYTES)
    throw new Error(
      `The runtime and the model ${model} have ${Math.round(bytes / 1e6)} MB. Lambda accepts layers of up to ${MAX_BYTES / 1e6} MB. Choose a smaller model.`,
    );
  return { folder: join(MOUNT, name), dimensions };
}

/** Excludes binaries of other platforms, builds for browsers and ES modules, and source maps. */
function isLoaded(path: string, architecture: string): boolean {
  if (/^\/(?:src|types|script|lib|node_modules)(?:\/|$)|\.(?:map|ts|mjs|wasm)$/.test(path)) return false;
  if (/^\/dist\/transformers\./.test(path)) return path === '/dist/transformers.node.cjs';
  const [, platform, cpu] = /^\/bin\/napi-v\d+\/(\w+)(?:\/(\w+))?/.exec(path) ?? [];
  return (platform ?? 'linux') === 'linux' && (cpu ?? architecture) === architecture;
}

const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
