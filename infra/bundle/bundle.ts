/**
 * Bundles every function in one esbuild run. What is unusual here was measured (`npm run bench`; FACTS, Found while trying):
 *
 * - CommonJS output: an ESM `import` of `node:http` makes Node load undici, 23 ms of a cold start;
 * - `mainFields` with `module` first: the SDK's ES modules shake down better, 29 ms;
 * - stand-ins for what the SDK carries and a Lambda never uses (`infra/bundle/sdkStubs/`): the chain of credential providers alone
 *   is 14 ms and 135 KB;
 * - what reads files to be indexed, and what runs the code of computed columns, in a file of its own beside the function
 *   that has it run in a process or thread;
 * - the S3 client, the engine of regular expressions, media types, and the clients by which rows are searched, in files of
 *   their own beside the function, loaded when they are needed.
 */
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import * as consumers from '#functions/events/index.ts';
import { apis } from '#infra/gateway/apis.ts';
import { HEALTH, PREFLIGHT } from '#infra/gateway/openapi.ts';
import { references } from '#infra/gateway/reference.ts';
import { type Access, accessOf } from '#infra/stack/access.ts';
import { functionNameOf } from '#shared/api/operation.ts';
import { type Operation } from '#shared/api/operations.ts';

const ROOT = join(import.meta.dirname, '../..');
export const BUNDLES = join(ROOT, 'dist', 'functions');

/** Where the code of a function, named like it, lies once it is bundled. */
const bundleOf = (name: string) => join(BUNDLES, name);

const operations: readonly Operation[] = apis.flatMap(each => each.operations);

function sourceOf({ name, group, api, streams }: Operation): string {
  const handler = `${api}Handler(${name})`;
  return `import { ${name} } from '#functions/${group}/${name}.ts';
     import { ${api}Handler } from '#shared/api/chain.ts';
     ${streams ? "import { streamed } from '#shared/api/lambdaStream.ts';" : ''}
     export const handler = ${streams ? `streamed('${name}', ${handler})` : handler};`;
}

/** The source of each function's entry: the one line that makes a Lambda handler of a declaration. */
const entries = new Map<string, string>([
  ...operations.map((operation): [string, string] => [functionNameOf(operation), sourceOf(operation)]),
  ...Object.values(consumers).map(({ name }): [string, string] => [
    name,
    `import { ${name} } from '#functions/events/${name}.ts';
     export const handler = ${name}.handle;`,
  ]),
  ...[PREFLIGHT, HEALTH].map((name): [string, string] => [
    name,
    `export { ${name} as handler } from '#functions/${name}.ts';`,
  ]),
  // A finished text: building the document when it is asked for would take every operation into the bundle.
  ...references.map(({ functionName, text }): [string, string] => [
    functionName,
    `import { jsonText } from '#functions/jsonText.ts';
     export const handler = jsonText(${JSON.stringify(text)});`,
  ]),
]);

export const functionNames = [...entries.keys()];

/** What a function loads only when it needs it: the object store, what searches rows, and media types. */
const LAZY = {
  mediaTypes: 'shared/files/mediaTypes.ts',
  objects: 'shared/s3/objects.ts',
  presign: 'shared/s3/presign.ts',
  openRowSearch: 'shared/tables/search/openRowSearch.ts',
};

/** By how what is unused is imported, and by whom if that matters. */
const STAND_INS: { unused: string; importer?: RegExp; standIn: string }[] = [
  { unused: '@aws-sdk/credential-provider-node', standIn: 'environmentCredentials.ts' },
  { unused: '@aws-sdk/middleware-endpoint-discovery', standIn: 'endpointDiscovery.ts' },
  { unused: './Sha256Js', standIn: 'sha256.ts' },
  { unused: '../util-retry/AdaptiveRetryStrategy', standIn: 'adaptiveRetry.ts' },
  // Every client has a file of this name.
  { unused: './endpoint/endpointResolver', importer: /\/client-dynamodb\//, standIn: 'dynamodbEndpoint.ts' },
];

const lambda: Plugin = {
  name: 'lambda',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^entry:/ }, ({ path }) => ({ path: path.slice('entry:'.length), namespace: 'entry' }));
    onLoad({ filter: /.*/, namespace: 'entry' }, ({ path }) => ({
      contents: entries.get(path)!,
      loader: 'ts',
      resolveDir: ROOT,
    }));
    for (const { unused, importer: by = /./, standIn } of STAND_INS) {
      onResolve({ filter: new RegExp(`^${unused.replaceAll('.', '\\.')}$`) }, ({ importer }) =>
        by.test(importer) ? { path: join(ROOT, 'infra/bundle/sdkStubs', standIn) } : undefined,
      );
    }
    // A client reads its version from its whole package.json.
    onLoad({ filter: /\/@aws-sdk\/client-[^/]+\/package\.json$/ }, async ({ path }) => ({
      contents: JSON.stringify({ version: JSON.parse(await readFile(path, 'utf8')).version }),
      loader: 'json',
    }));
    // The S3 client also imports them statically, and has a use for them.
    onResolve({ filter: /^@smithy\/core\/event-streams$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: join(ROOT, 'infra/bundle/sdkStubs/eventStreams.ts') } : undefined,
    );
    onResolve({ filter: new RegExp(`/(${Object.keys(LAZY).join('|')})\\.ts$`) }, ({ kind, path }) =>
      kind === 'dynamic-import'
        ? { path: `./${path.split('/').at(-1)!.replace('.ts', '.js')}`, external: true }
        : undefined,
    );
  },
};

/** Settings of every bundle; the bench builds its floor with the same. */
export const lambdaBuildOptions = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  minify: true,
  mainFields: ['module', 'main'],
  supported: { 'dynamic-import': false },
  // What a thread runs lies beside the function that starts it.
  define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
  logLevel: 'warning',
  plugins: [lambda],
} as const satisfies Parameters<typeof build>[0];

/** What one function runs in a process or thread of its own, and where that lies beside it. */
const BESIDE = [
  ['shared/extraction/worker.ts', join(bundleOf('indexFile'), 'worker.js')],
  ['shared/tables/compute/sandboxThread.ts', join(bundleOf('workOnRows'), 'sandboxThread.js')],
] as const;

/** What may have to do with a bot's regular expressions: see `shared/tables/patterns.ts`. */
const hasPatterns = (functionName: string) =>
  functionName.startsWith('tables-') || functionName === 'workOnRows' || functionName === 'runTableJob';

/** What of {@link LAZY} a function may load. */
function lazyOf({ largeValues, objects, readsBodies, index }: Access): string[] {
  return [
    ...(largeValues || objects || readsBodies ? ['objects'] : []),
    ...(objects ? ['presign'] : []),
    ...(objects === 'writesFiles' ? ['mediaTypes'] : []),
    ...(index === 'searches' ? ['openRowSearch'] : []),
  ];
}

/** Bundles everything into {@link BUNDLES}: `<name>/index.js`, and beside it the object store where it may be needed. */
export async function bundleFunctions(): Promise<void> {
  await rm(BUNDLES, { recursive: true, force: true });
  await build({
    ...lambdaBuildOptions,
    entryPoints: functionNames.map(name => ({ in: `entry:${name}`, out: `${name}/index` })),
    outdir: BUNDLES,
  });
  await build({
    ...lambdaBuildOptions,
    entryPoints: Object.entries(LAZY).map(([out, source]) => ({ in: join(ROOT, source), out })),
    outdir: join(ROOT, 'dist'),
  });
  for (const [source, outfile] of BESIDE) {
    await build({ ...lambdaBuildOptions, entryPoints: [join(ROOT, source)], outfile });
  }
  const engine = join(ROOT, 'dist', 're2js.js');
  await build({ ...lambdaBuildOptions, entryPoints: ['re2js'], outfile: engine });
  for (const functionName of functionNames.filter(hasPatterns)) {
    await cp(engine, join(bundleOf(functionName), 'node_modules/re2js/index.js'));
  }
  const accesses: [string, Access][] = [
    ...operations.map((each): [string, Access] => [functionNameOf(each), accessOf(each)]),
    ...Object.values(consumers).map((each): [string, Access] => [each.name, each]),
  ];
  for (const [functionName, access] of accesses) {
    for (const name of lazyOf(access)) {
      await cp(join(ROOT, 'dist', `${name}.js`), join(bundleOf(functionName), `${name}.js`));
    }
  }
  // Lambda takes a .js for CommonJS; so does Node here, told so.
  await mkdir(join(ROOT, 'dist'), { recursive: true });
  await writeFile(join(ROOT, 'dist', 'package.json'), '{ "type": "commonjs" }\n');
}
