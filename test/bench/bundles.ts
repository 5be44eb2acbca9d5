/** The bundles to compare, in a folder of the bench's own: ours just as `npm run synth` makes them, and the floor. */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { bundleFunctions, lambdaBuildOptions } from '#infra/bundle/bundle.ts';
import { BUNDLES, functionNames } from '#infra/bundle/entries.ts';

export interface Bundles {
  /** The floor, built as one would: ES modules in and out, minified. */
  bare: string;
  /** The floor, built with the settings of our own functions. */
  bareTuned: string;
  /** Our functions by name. */
  ours: Map<string, string>;
}

const ORDINARY = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  minify: true,
  mainFields: ['module', 'main'],
} as const satisfies BuildOptions;

let built: Promise<Bundles> | undefined;

/** @returns the paths of the bundles' entry files; built once a run */
export function bundles(directory: string): Promise<Bundles> {
  built ??= buildInto(directory);
  return built;
}

async function buildInto(directory: string): Promise<Bundles> {
  const entryPoints = [join(import.meta.dirname, 'bare/createMessage.ts')];
  const bare = join(directory, 'bare.mjs');
  const bareTuned = join(directory, 'bareTuned.js');
  await bundleFunctions();
  await Promise.all([
    build({ ...ORDINARY, entryPoints, outfile: bare }),
    build({ ...lambdaBuildOptions, entryPoints, outfile: bareTuned }),
    // A synth at the same time would replace them under our hands.
    cp(BUNDLES, join(directory, 'functions'), { recursive: true }),
    // Says that a .js is CommonJS.
    cp(join(BUNDLES, '../package.json'), join(directory, 'package.json')),
  ]);
  return {
    bare,
    bareTuned,
    ours: new Map(functionNames.map(name => [name, join(directory, 'functions', name, 'index.js')])),
  };
}
