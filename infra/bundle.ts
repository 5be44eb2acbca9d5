/**
 * Bundles every function in one esbuild run. What is unusual here was measured (`npm run bench`; FACTS, Found while trying):
 *
 * - CommonJS output: an ESM `import` of `node:http` makes Node load undici, 23 ms of a cold start;
 * - `mainFields` with `module` first: the SDK's ES modules shake down better, 29 ms;
 * - stand-ins for what the SDK carries and a Lambda never uses (`infra/lambda/`): the chain of credential providers alone
 *   is 14 ms and 135 KB;
 * - the S3 client in a file of its own beside the function, loaded when a value is too big for the table.
 */
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import * as reactions from '../functions/events/index.ts';
import { chatInterface } from './interfaces.ts';
import { HEALTH, PREFLIGHT } from './openapi.ts';
import { chatReference } from './reference.ts';

const ROOT = join(import.meta.dirname, '..');
export const BUNDLES = join(ROOT, 'dist', 'functions');

/** Where the code of a function, named like it, lies once it is bundled. */
const bundleOf = (name: string) => join(BUNDLES, name);

/** The source of each function's entry: the one line that makes a Lambda handler of a declaration. */
const entries = new Map<string, string>([
  ...chatInterface.operations.map(({ name }): [string, string] => [
    name,
    `import { ${name} } from './functions/chat/${name}.ts';
     import { handlerOf } from './shared/http/chain.ts';
     export const handler = handlerOf(${name});`,
  ]),
  ...Object.values(reactions).map(({ name }): [string, string] => [
    name,
    `import { ${name} } from './functions/events/${name}.ts';
     export const handler = ${name}.handle;`,
  ]),
  ...[PREFLIGHT, HEALTH].map((name): [string, string] => [
    name,
    `export { ${name} as handler } from './functions/${name}.ts';`,
  ]),
  // A finished text: building the document when it is asked for would take every operation into the bundle.
  [
    chatReference.functionName,
    `import { jsonText } from './functions/jsonText.ts';
     export const handler = jsonText(${JSON.stringify(chatReference.text)});`,
  ],
]);

export const functionNames = [...entries.keys()];

const OBJECTS = 'objects.js';

const STAND_INS = {
  '@aws-sdk/credential-provider-node': 'environmentCredentials.ts',
  '@aws-sdk/middleware-endpoint-discovery': 'endpointDiscovery.ts',
};

const lambda: Plugin = {
  name: 'lambda',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^entry:/ }, ({ path }) => ({ path: path.slice('entry:'.length), namespace: 'entry' }));
    onLoad({ filter: /.*/, namespace: 'entry' }, ({ path }) => ({
      contents: entries.get(path)!,
      loader: 'ts',
      resolveDir: ROOT,
    }));
    for (const [unused, standIn] of Object.entries(STAND_INS)) {
      onResolve({ filter: new RegExp(`^${unused}$`) }, () => ({ path: join(ROOT, 'infra/lambda', standIn) }));
    }
    // The S3 client also imports them statically, and has a use for them.
    onResolve({ filter: /^@smithy\/core\/event-streams$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: join(ROOT, 'infra/lambda/eventStreams.ts') } : undefined,
    );
    onResolve({ filter: /\/objects\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: `./${OBJECTS}`, external: true } : undefined,
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
  logLevel: 'warning',
  plugins: [lambda],
} as const satisfies Parameters<typeof build>[0];

/** Bundles everything into {@link BUNDLES}: `<name>/index.js`, and beside it the object store where it may be needed. */
export async function bundleFunctions(): Promise<void> {
  await rm(BUNDLES, { recursive: true, force: true });
  await build({
    ...lambdaBuildOptions,
    entryPoints: functionNames.map(name => ({ in: `entry:${name}`, out: `${name}/index` })),
    outdir: BUNDLES,
  });
  const objects = join(ROOT, 'dist', OBJECTS);
  await build({ ...lambdaBuildOptions, entryPoints: [join(ROOT, 'shared/storage/objects.ts')], outfile: objects });
  for (const { name, bigValues } of chatInterface.operations) {
    if (bigValues) await cp(objects, join(bundleOf(name), OBJECTS));
  }
  // Lambda takes a .js for CommonJS; so does Node here, told so.
  await mkdir(join(ROOT, 'dist'), { recursive: true });
  await writeFile(join(ROOT, 'dist', 'package.json'), '{ "type": "commonjs" }\n');
}
