/**
 * Bundles the functions with esbuild. Each unusual setting reduces cold starts (`npm run bench -- cold`;
 * docs/architecture.md#bundles):
 *
 * - CommonJS output: an ESM `import` of `node:http` makes Node load undici (23 ms).
 * - `mainFields` with `module` first: the SDK's ES modules tree-shake better (29 ms).
 * - Stubs for unused parts of the SDK (`sdkStubs/`): the credential provider chain alone takes 14 ms and 135 KB.
 * - Separate files for rarely loaded modules and for programs of child processes or threads (`lazyModules.ts`).
 */
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { buildEmbedderLayer } from './embedderLayer.ts';
import { accesses, BUNDLES, functionNames, ROOT } from './entries.ts';
import { lambdaPlugin } from './lambdaPlugin.ts';
import { CHILD_PROGRAMS, LAZY_MODULES, type LazyModule, mayLoad, runsPatterns } from './lazyModules.ts';

const DIST = join(ROOT, 'dist');
const bundleOf = (functionName: string) => join(BUNDLES, functionName);

/** Options of every bundle, and of the benchmark's baseline. */
export const lambdaBuildOptions = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  minify: true,
  mainFields: ['module', 'main'],
  supported: { 'dynamic-import': false },
  define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
  logLevel: 'warning',
  plugins: [lambdaPlugin()],
} as const satisfies Parameters<typeof build>[0];

/** Rebuilds {@link BUNDLES}: `<name>/index.js`, and the function's lazy modules beside it. */
export async function bundleFunctions(): Promise<void> {
  await rm(BUNDLES, { recursive: true, force: true });
  await bundleLazyModules();
  await bundleEntries(functionNames.filter(name => !readsEventStreams(name)));
  await bundleEntries(functionNames.filter(readsEventStreams), { plugins: [lambdaPlugin({ withEventStreams: true })] });
  await bundlePatternEngine();
  buildEmbedderLayer();
  for (const { source, file, data = [], isRunBy } of CHILD_PROGRAMS) {
    const outfile = join(DIST, file);
    await build({ ...lambdaBuildOptions, entryPoints: [join(ROOT, source)], outfile });
    const running = functionNames.filter(name => isRunBy(name, accesses.get(name)));
    for (const functionName of running) {
      await cp(outfile, join(bundleOf(functionName), file));
      for (const path of data) await cp(join(ROOT, path), join(bundleOf(functionName), basename(path)));
    }
  }
  // Lambda treats .js files as CommonJS. Node requires the type for local runs.
  await mkdir(DIST, { recursive: true });
  await writeFile(join(DIST, 'package.json'), '{ "type": "commonjs" }\n');
}

/** Bedrock streams responses as event streams. */
const readsEventStreams = (name: string) => accesses.get(name)?.model === 'streams';

async function bundleEntries(names: readonly string[], options: { plugins?: Plugin[] } = {}): Promise<void> {
  const { metafile } = await build({
    ...lambdaBuildOptions,
    ...options,
    entryPoints: names.map(name => ({ in: `entry:${name}`, out: `${name}/index` })),
    outdir: BUNDLES,
    metafile: true,
  });
  for (const [file, { imports }] of Object.entries(metafile.outputs)) {
    const functionName = basename(dirname(file));
    const named = new Set(imports.map(({ path }) => basename(path, '.js')).filter(isLazy));
    for (const name of named) {
      if (!mayLoad(name, accesses.get(functionName)!)) continue;
      await cp(join(DIST, `${name}.js`), join(bundleOf(functionName), `${name}.js`));
    }
  }
}

const isLazy = (name: string): name is LazyModule => Object.hasOwn(LAZY_MODULES, name);

async function bundleLazyModules(): Promise<void> {
  for (const [name, sources] of Object.entries(LAZY_MODULES)) {
    const contents = sources.map(source => `export * from './${source}';`).join('\n');
    const stdin = { contents, resolveDir: ROOT };
    await build({ ...lambdaBuildOptions, stdin, outfile: join(DIST, `${name}.js`) });
  }
}

async function bundlePatternEngine(): Promise<void> {
  const engine = join(DIST, 're2js.js');
  await build({ ...lambdaBuildOptions, entryPoints: ['re2js'], outfile: engine });
  for (const functionName of functionNames.filter(runsPatterns)) {
    await cp(engine, join(bundleOf(functionName), 'node_modules/re2js/index.js'));
  }
}
