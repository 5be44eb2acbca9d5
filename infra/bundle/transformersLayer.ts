/**
 * The Lambda layer of `search=transformers`: a model downloaded by `npm run model`, and the runtime. Synchronous,
 * because CDK constructs are.
 */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { dimensionsIn } from '#shared/ai/embedders/transformersFolder.ts';
import { copySentenceRuntime } from './sentenceRuntime.ts';

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
 * @throws Error that names a missing model, or the size
 */
export function writeTransformersLayer(target: string, model: string): TransformersLayer {
  const config = join(model, 'config.json');
  const dimensions = existsSync(config) ? dimensionsIn(readFileSync(config, 'utf8')) : undefined;
  if (!dimensions) throw new Error(`${model} contains no model. Download one with npm run model.`);

  rmSync(target, { recursive: true, force: true });
  copySentenceRuntime(target);
  const name = join(MODELS, basename(dirname(model)), basename(model));
  cpSync(model, join(target, name), { recursive: true, dereference: true });

  const bytes = sizeOf(target);
  if (bytes > MAX_BYTES)
    throw new Error(
      `The runtime and the model ${model} have ${Math.round(bytes / 1e6)} MB. Lambda accepts layers of up to ${MAX_BYTES / 1e6} MB. Choose a smaller model.`,
    );
  return { folder: join(MOUNT, name), dimensions };
}

const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
