import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Tests start `npm start` and the operator's commands many times; the first compiles for all.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compile');

/** A test that calls none of these needs no DynamoDB, object store or gateway. */
const USES_SERVICES = /\b(usePlatform|inject|startDynamodb|startObjectStore|startQueues|spawnStart)\(/;

/** Tests that need no services either, but synthesise the app, which files of one worker share: too long for the inner loop. */
const SYNTH_TESTS = [
  'test/infra/docs.test.ts',
  'test/infra/names.test.ts',
  'test/infra/bundle/endpoints.test.ts',
  'test/infra/bundle/sizes.test.ts',
  'test/infra/stack/alarms.test.ts',
  'test/infra/stack/alarmsFire.test.ts',
  'test/infra/stack/console.test.ts',
  'test/infra/stack/domains.test.ts',
  'test/infra/stack/nag.test.ts',
  'test/infra/stack/settings.test.ts',
  'test/infra/stack/stack.test.ts',
];

/** Likewise, and reads huge files or starts npm. */
const SLOW_TESTS = ['test/shared/extraction/readPassages.test.ts', 'test/infra/audit.test.ts'];

const UNIT_TESTS = globSync('test/**/*.test.ts')
  .filter(file => ![...SYNTH_TESTS, ...SLOW_TESTS].includes(file) && !USES_SERVICES.test(readFileSync(file, 'utf8')))
  .sort();

/** Tests that reach a platform only through its API, each file with its own tenants. */
const API_TESTS = [
  // `eraseUser`, `secrets` and `strangers` read the whole table, which is small only in a platform of its own.
  'test/functions/{chat,files,tables,admin}/**/*.test.ts',
  'test/functions/botChat/!(eraseUser).test.ts',
  'test/shared/api/auth/!(strangers).test.ts',
  'test/shared/api/{bodies,cors,errors,faults,idempotency,largeBodies,malformedIds,oddInputs,paging,rateLimits,twoAtOnce}.test.ts',
  'test/shared/{admin/bots,api/chat}/*.test.ts',
  'test/shared/{messaging/callerScope,fileRecords/policies,tables/query/rowQueries}.test.ts',
  'test/infra/gateway/reference.test.ts',
];

/** Tests that load the machine so much that nothing else may run beside them. */
const HEAVY_TESTS = ['test/shared/delivery/{delivery,outgoing}UnderFaults.test.ts'];

const common = {
  // Generous: shared machines are several times slower at times, and no test asserts a duration.
  testTimeout: 180_000,
  hookTimeout: 120_000,
  provide: { isShared: false },
  setupFiles: ['test/support/quiet.ts'],
  // Tests come from one address, and fast. `test/shared/api/rateLimits.test.ts` sets limits of its own.
  env: { RATE_LIMITS: 'off', SEALING_KEY: 'the sealing key of all tests, the deployed ones included' },
};
const withServices = { ...common, globalSetup: ['test/support/globalSetup.ts'] };

export default defineConfig({
  test: {
    silent: 'passed-only',
    // Two workers and DynamoDB Local fill two cores; with more, calls of DynamoDB Local take longer than the platform waits.
    maxWorkers: 2,
    projects: [
      { test: { ...common, name: 'unit', include: UNIT_TESTS, isolate: false } },
      { test: { ...common, name: 'synth', include: SYNTH_TESTS, isolate: false } },
      {
        test: {
          ...withServices,
          name: 'parts',
          include: ['test/**/*.test.ts'],
          exclude: [...UNIT_TESTS, ...SYNTH_TESTS, ...API_TESTS, ...HEAVY_TESTS],
        },
      },
      // The files of a worker share one platform and its modules: starting a platform takes longer than most files.
      { test: { ...withServices, name: 'api', include: API_TESTS, isolate: false, provide: { isShared: true } } },
      { test: { ...withServices, name: 'heavy', include: HEAVY_TESTS, sequence: { groupOrder: 1 } } },
    ],
  },
});
