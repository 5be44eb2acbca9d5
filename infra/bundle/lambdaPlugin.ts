/** The esbuild plugin that makes lean bundles: generated entries, stubs for unused parts of the SDK, lazy modules. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Plugin } from 'esbuild';
import { entries, ROOT, TEXT_MODULES } from './entries.ts';
import { LAZY_IMPORT, lazyFileOf } from './lazyModules.ts';
import { SHORTENED } from './shortened.ts';

const STUBS = join(import.meta.dirname, 'sdkStubs');

/** Imports of the SDK and of `standardwebhooks` that a Lambda never uses. `importer` restricts a stub to one client. */
const SDK_STUBS: { unused: string; importer?: RegExp; stub: string }[] = [
  { unused: '@aws-sdk/credential-provider-node', stub: 'environmentCredentials.ts' },
  { unused: '@aws-sdk/middleware-endpoint-discovery', stub: 'endpointDiscovery.ts' },
  { unused: '../shared-ini-file-loader/loadSharedConfigFiles', stub: 'sharedConfigFiles.ts' },
  { unused: '../config-resolver/regionConfig/getInstanceMetadataRegion', stub: 'instanceRegion.ts' },
  { unused: './getInstanceMetadataRegion', stub: 'instanceRegion.ts' },
  { unused: './Sha256Js', stub: 'sha256.ts' },
  { unused: '../util-retry/AdaptiveRetryStrategy', stub: 'adaptiveRetry.ts' },
  { unused: './recursionDetectionMiddleware', stub: 'recursionDetection.ts' },
  // Every client has a file of this name.
  { unused: './endpoint/endpointResolver', importer: /\/client-dynamodb\//, stub: 'dynamodbEndpoint.ts' },
  { unused: 'fast-sha256', importer: /\/standardwebhooks\//, stub: 'hmac.ts' },
  { unused: '@stablelib/base64', importer: /\/standardwebhooks\//, stub: 'base64.ts' },
];

/** @param options.withEventStreams for a client whose service answers in them */
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
        // A new version of the SDK may have another text.
        if (contents.length > text.length - 500) throw new Error(`${path} could not be shortened.`);
        return { contents, loader: 'js', resolveDir: dirname(path) };
      });
    }
    // A client imports its whole package.json for its version.
    onLoad({ filter: /\/@aws-sdk\/client-[^/]+\/package\.json$/ }, async ({ path }) => ({
      contents: JSON.stringify({ version: JSON.parse(await readFile(path, 'utf8')).version }),
      loader: 'json',
    }));
    // The S3 client imports them statically as well, and needs them.
    onResolve({ filter: /^@smithy\/core\/event-streams$/ }, ({ kind }) =>
      kind === 'dynamic-import' && !withEventStreams ? { path: join(STUBS, 'eventStreams.ts') } : undefined,
    );
    onResolve({ filter: LAZY_IMPORT }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: `./${lazyFileOf(path)}`, external: true } : undefined,
    );
  },
});
