import { defineConfig } from 'vitest/config';

/** Pure functions, and what needs nothing but Node: no DynamoDB, no object store, no gateway. */
const UNIT_TESTS = [
  'test/infra/{boundaries,readme}.test.ts',
  'test/infra/gateway/gateway.test.ts',
  'test/infra/local/services/stream.test.ts',
  'test/shared/ids.test.ts',
  'test/shared/ai/{bedrock,choices,hashing,openai,vectorStores}.test.ts',
  'test/shared/api/{chain,lambdaStream,platform/parsePlatformInput}.test.ts',
  'test/shared/chat/listenCursor.test.ts',
  'test/shared/dynamodb/{shards,workspace/usage}.test.ts',
  'test/shared/endpoints/callEndpoint.test.ts',
  'test/shared/extraction/{cutPassages,extract}.test.ts',
  'test/shared/search/{bm25,scoreFusion}.test.ts',
  'test/shared/tables/compute/{askModel,sandbox}.test.ts',
  'test/shared/tables/jobs/import/scanners.test.ts',
  'test/shared/tables/query/{differential,filter,group,order,select}.test.ts',
  'test/shared/tables/{rows/values,schema/columns}.test.ts',
];

/** Tests that speak to a platform through its interfaces, each with tenants of its own. */
const API_TESTS = [
  'test/functions/{chat,botChat,files,tables,admin}/**/*.test.ts',
  'test/shared/api/{auth/*,bodies,cors,errors,faults,idempotency,largeBodies,paging,secrets}.test.ts',
  'test/shared/{messaging/callerScope,fileRecords/policies,tables/query/rowQueries}.test.ts',
  'test/infra/gateway/reference.test.ts',
];

/** Tests that send so much that they want the machine to themselves. */
const HEAVY_TESTS = 'test/shared/delivery/deliveryUnderFaults.test.ts';

const common = {
  testTimeout: 30_000,
  hookTimeout: 60_000,
  provide: { isShared: false },
};
const withServices = { ...common, globalSetup: ['test/support/globalSetup.ts'] };

export default defineConfig({
  test: {
    silent: 'passed-only',
    // One of them waits for DynamoDB Local most of the time.
    maxWorkers: 2,
    projects: [
      { test: { ...common, name: 'unit', include: UNIT_TESTS, isolate: false } },
      {
        test: {
          ...withServices,
          name: 'parts',
          include: ['test/**/*.test.ts'],
          exclude: [...UNIT_TESTS, ...API_TESTS, HEAVY_TESTS],
        },
      },
      // They share one platform, and the modules it is made of: starting one for each file takes longer than the tests.
      { test: { ...withServices, name: 'api', include: API_TESTS, isolate: false, provide: { isShared: true } } },
      { test: { ...withServices, name: 'heavy', include: [HEAVY_TESTS], sequence: { groupOrder: 1 } } },
    ],
  },
});
