import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { markProcesses } from './test/support/leftProcesses.ts';
import { RunReporter } from './test/support/reportRun.ts';
import { useTemporaryFolder } from './test/support/temporaryFiles.ts';

markProcesses();
// Tests start `npm start` and the operator's commands many times; the first compiles for all.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compile');

useTemporaryFolder();

/** Fault injection, processes, operator commands, very large inputs: part of `npm run test:all`, or run by name. */
const SLOW_TESTS = '**/*.slow.test.ts';
const hasSlowTests = process.env.TESTS === 'all' || process.argv.some(argument => argument.includes('.slow'));
const leftOut = [...configDefaults.exclude, ...(hasSlowTests ? [] : [SLOW_TESTS])];

/**
 * Tests that synthesize the app or bundle functions. They need no services, and files of a worker share the results.
 */
const SYNTH_TESTS = ['test/infra/{bundle,stack}/**/*.test.ts', 'test/infra/{docs,names}.test.ts'];

/** A test that calls none of these needs no DynamoDB, object store or gateway. */
const USES_SERVICES =
  /\b(use(Shared)?Platform(Process)?|inject|startDynamodb|startObjectStore|startQueues|spawnStart)\(/;
const SHARES_PLATFORM = /\buseSharedPlatform\(/;
const sources = globSync('test/**/*.test.ts').map(file => ({ file, source: readFileSync(file, 'utf8') }));
const filesWith = (isMatch: (source: string) => boolean) =>
  sources.filter(each => isMatch(each.source)).map(({ file }) => file);
const UNIT_TESTS = filesWith(source => !USES_SERVICES.test(source));
const SHARED_TESTS = filesWith(source => SHARES_PLATFORM.test(source));

/** Tests that need the whole machine. They run last, without others. */
const HEAVY_TESTS = ['test/shared/events/delivery/*UnderFaults.slow.test.ts'];

const common = {
  // Generous, because no test asserts a duration and a shared machine can be several times slower.
  testTimeout: 180_000,
  hookTimeout: 120_000,
  // Both default to a second, which a busy machine needs to load a module.
  expect: { poll: { timeout: 60_000 } },
  setupFiles: ['test/support/quiet.ts'],
  // Tests come from one address, and fast. `rateLimits.test.ts` and `openWorkLeases.test.ts` in `test/shared/api` set
  // limits of their own.
  env: {
    RATE_LIMITS: 'off',
    // Without a model in the memory of each worker. Tests of the default embedder unset it.
    EMBEDDINGS: 'hashing',
    OPEN_WORK_LIMITS: '{"addressStreams":0}',
    SEALING_KEY: 'the sealing key of all tests, the deployed ones included',
  },
};
const withServices = {
  ...common,
  // Fewer minor collections: requests and responses allocate many short-lived objects.
  execArgv: ['--max-semi-space-size=64'],
  globalSetup: ['test/support/globalSetup.ts'],
  // In CI, one flake of thousands of tests must not reject a correct change; the reporter lists it as the bug it is.
  retry: process.env.CI === 'true' ? 2 : 0,
};

export default defineConfig({
  test: {
    silent: 'passed-only',
    reporters: ['default', new RunReporter()],
    maxWorkers: Number(process.env.WORKERS ?? 3),
    projects: [
      {
        test: {
          ...common,
          name: 'unit',
          include: UNIT_TESTS,
          exclude: [...leftOut, ...SYNTH_TESTS],
          isolate: false,
        },
      },
      { test: { ...common, name: 'synth', include: SYNTH_TESTS, exclude: leftOut, isolate: false } },
      // Files of a worker share modules and one platform.
      { test: { ...withServices, name: 'shared', include: SHARED_TESTS, exclude: leftOut, isolate: false } },
      {
        test: {
          ...withServices,
          name: 'own',
          include: ['test/**/*.test.ts'],
          exclude: [...leftOut, ...UNIT_TESTS, ...SYNTH_TESTS, ...SHARED_TESTS, ...HEAVY_TESTS],
        },
      },
      { test: { ...withServices, name: 'heavy', include: HEAVY_TESTS, exclude: leftOut, sequence: { groupOrder: 1 } } },
    ],
  },
});
