/**
 * The end-to-end tests that ship inside the npm package `@botpress/chat`, unmodified, against a running platform:
 * `API_URL=<chatUrl> ENCRYPTION_KEY=<key> npx vitest run --config test/e2e/vitest.config.ts`.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { defineConfig } from 'vitest/config';

const packageRoot = dirname(createRequire(import.meta.url).resolve('@botpress/chat/package.json'));

export default defineConfig({
  root: packageRoot,
  plugins: [
    {
      name: 'as-published',
      enforce: 'pre',
      resolveId(source, importer) {
        if (!importer?.includes('/e2e/') || !importer.startsWith(packageRoot)) return undefined;
        // Resolves the client's source, which the package lacks, to the published client.
        if (source === '../src') return join(packageRoot, 'dist/index.cjs');
        return source === 'vitest' || source === 'uuid' ? join(import.meta.dirname, `${source}.ts`) : undefined;
      },
    },
  ],
  test: { include: ['e2e/**/*.test.ts'], testTimeout: 30_000, fileParallelism: false },
});
