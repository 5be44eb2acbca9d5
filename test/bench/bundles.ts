/** The bundles to compare: the platform's, as `npm run synth` builds them, and the floor's. */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { bundleFunctions, lambdaBuildOptions } from '#infra/bundle/bundle.ts';
import { BUNDLES, functionNames } from '#infra/bundle/entries.ts';

export interface Bundles {
  /** The floor, built in the ordinary way: ES modules in and out, minified. */
  bare: string;
  /** The floor, built with the platform's settings. */
  bareTuned: string;
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

/** Builds once per run. @returns the paths of the entry files */
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
    // A copy, which a synth at the same time does not replace.
    cp(BUNDLES, join(directory, 'functions'), { recursive: true }),
    // Marks .js files as CommonJS.
    cp(join(BUNDLES, '../package.json'), join(directory, 'package.json')),
  ]);
  return {
    bare,
    bareTuned,
    ours: new Map(functionNames.map(name => [name, join(directory, 'functions', name, 'index.js')])),
  };
}
