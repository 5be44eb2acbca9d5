import { defineConfig } from 'vitest/config';

/** Tests that speak to a platform through its interfaces, each with tenants of its own. */
const API_TESTS = 'test/{chat,bot-chat,files,tables,admin,api}/**/*.test.ts';

/** What becomes of files: tests that write much. */
const FILE_TESTS = [
  'test/{search,indexing}/**/*.test.ts',
  'test/events/{file*,rows*,tableJobs*,indexFile,receiveUpload}.test.ts',
];

/** Tests that send so much that they want the machine to themselves. */
const HEAVY_TESTS = 'test/events/deliveryUnderFaults.test.ts';

/** Each project has services of its own. */
const common = {
  globalSetup: ['test/globalSetup.ts'],
  testTimeout: 30_000,
  hookTimeout: 60_000,
  provide: { isShared: false },
};

export default defineConfig({
  test: {
    silent: 'passed-only',
    // One of them waits for DynamoDB Local most of the time.
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...common,
          name: 'parts',
          include: ['test/**/*.test.ts'],
          exclude: [API_TESTS, HEAVY_TESTS, ...FILE_TESTS],
        },
      },
      { test: { ...common, name: 'files', include: FILE_TESTS } },
      // They share one platform, and the modules it is made of: starting one for each file takes longer than the tests.
      { test: { ...common, name: 'api', include: [API_TESTS], isolate: false, provide: { isShared: true } } },
      { test: { ...common, name: 'heavy', include: [HEAVY_TESTS], sequence: { groupOrder: 1 } } },
    ],
  },
});
