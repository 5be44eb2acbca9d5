import { defineConfig } from 'vitest/config';

/** Tests that speak to a platform through its interfaces, each with tenants of its own. */
const API_TESTS = [
  'test/functions/{chat,botChat,files,tables,admin}/**/*.test.ts',
  'test/shared/api/{auth/*,bodies,cors,errors,faults,idempotency,largeBodies,paging,secrets}.test.ts',
  'test/shared/{messaging/callerScope,fileRecords/policies,tables/query/rowQueries}.test.ts',
  'test/infra/gateway/reference.test.ts',
];

/** What becomes of files: tests that write much. */
const FILE_TESTS = [
  'test/shared/{ai,search,extraction,cleanup,tables/{changes,compute,jobs}}/**/*.test.ts',
  'test/shared/files/*.test.ts',
  'test/shared/tables/{find/findRows,search/searchRows,rows/buildUniqueKeys,rows/createRows}.test.ts',
  'test/functions/events/{indexFile,receiveUpload,runTableJob,workOnRows}.test.ts',
];

/** Tests that send so much that they want the machine to themselves. */
const HEAVY_TESTS = 'test/shared/delivery/deliveryUnderFaults.test.ts';

/** Each project has services of its own. */
const common = {
  globalSetup: ['test/support/globalSetup.ts'],
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
          exclude: [...API_TESTS, HEAVY_TESTS, ...FILE_TESTS],
        },
      },
      { test: { ...common, name: 'files', include: FILE_TESTS } },
      // They share one platform, and the modules it is made of: starting one for each file takes longer than the tests.
      { test: { ...common, name: 'api', include: API_TESTS, isolate: false, provide: { isShared: true } } },
      { test: { ...common, name: 'heavy', include: [HEAVY_TESTS], sequence: { groupOrder: 1 } } },
    ],
  },
});
