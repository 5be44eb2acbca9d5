/** An esbuild plugin for small bundles: generated entries, stubs for unused parts of the SDK, and lazy modules. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';
import { entries, ROOT, TEXT_MODULES } from './entries.ts';
import { LAZY_IMPORT, lazyFileOf } from './lazyModules.ts';
import { SHORTENED } from './shortened.ts';

const STUBS = join(import.meta.dirname, 'sdkStubs');

/** Unused imports of the SDK, of `jws` and of `standardwebhooks`. `importer` limits a stub to one client. */
const SDK_STUBS: { unused: string; importer?: RegExp; stub: string }[] = [
  { unused: '@aws-sdk/credential-provider-node', stub: 'environmentCredentials.ts' },
  { unused: '@aws-sdk/middleware-endpoint-discovery', stub: 'endpointDiscovery.ts' },
  { unused: '../shared-ini-file-loader/loadSharedConfigFiles', stub: 'sharedConfigFiles.ts' },
  { unused: '../config-resolver/regionConfig/getInstanceMetadataRegion', stub: 'instanceRegion.ts' },
  { unused: './getInstanceMetadataRegion', stub: 'instanceRegion.ts' },
  { unused: './Sha256Js', stub: 'sha256.ts' },
  { unused: '../util-retry/AdaptiveRetryStrategy', stub: 'adaptiveRetry.ts' },
  { unused: './recursionDetectionMiddleware', stub: 'recursionDetection.ts' },
  // Every client has a file with this name.
  { unused: './endpoint/endpointResolver', importer: /\/client-dynamodb\//, stub: 'dynamodbEndpoint.ts' },
  { unused: 'ecdsa-sig-formatter', stub: 'ecdsaSignatures.ts' },
  { unused: 'fast-sha256', importer: /\/standardwebhooks\//, stub: 'hmac.ts' },
  { unused: '@stablelib/base64', importer: /\/standardwebhooks\//, stub: 'base64.ts' },
];

export const lambdaPlugin = ({ withEventStreams = false } = {}): Plugin => ({
  name: 'lambda',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^entry:/ }, ({ path }) => ({ path: path.slice('entry:'.length), namespace: 'entry' }));
    onLoad({ filter: /.*/, namespace: 'entry' }, ({ path }) => ({
      contents: entries.get(path)!,
      loader: 'ts',
      resolveDir: ROOT,
    }));
    onResolve({ filter: /^text:/ }, ({ path }) => ({ path, namespace: 'text' }));
    onLoad({ filter: /.*/, namespace: 'text' }, ({ path }) => ({
      contents: TEXT_MODULES.get(path)!(),
      loader: 'text',
    }));
    for (const { unused, importer: allowed = /./, stub } of SDK_STUBS) {
      onResolve({ filter: new RegExp(`^${unused.replaceAll('.', '\\.')}$`) }, ({ importer }) =>
        allowed.test(importer) ? { path: join(STUBS, stub) } : undefined,
      );
    }
    for (const { file, shorten } of SHORTENED) {
      onLoad({ filter: file }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        const contents = shorten(text);
        // Detects an SDK update that changes the text.
        if (contents.length > text.length - 500)
          throw new Error(`${path} was not shortened. Adapt infra/bundle/shortened.ts to the installed SDK.`);
        return { contents, loader: 'js', resolveDir: dirname(path) };
      });
    }
    // Clients import their package.json only for the version.
    onLoad({ filter: /\/@aws-sdk\/client-[^/]+\/package\.json$/ }, async ({ path }) => ({
      contents: JSON.stringify({ version: JSON.parse(await readFile(path, 'utf8')).version }),
      loader: 'json',
    }));
    // The package's ES module only runs in browsers.
    onResolve({ filter: /^@bpinternal\/verel$/ }, ({ path }) => ({ path: fileURLToPath(import.meta.resolve(path)) }));
    // The S3 client also imports event streams statically, and needs them.
    onResolve({ filter: /^@smithy\/core\/event-streams$/ }, ({ kind }) =>
      kind === 'dynamic-import' && !withEventStreams ? { path: join(STUBS, 'eventStreams.ts') } : undefined,
    );
    onResolve({ filter: LAZY_IMPORT }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: `./${lazyFileOf(path)}`, external: true } : undefined,
    );
  },
});
