import { defineConfig } from 'vitest/config';

/** Tests that speak to a platform through its interfaces, each with tenants of its own. */
const API_TESTS = 'test/{chat,admin,api}/**/*.test.ts';

export default defineConfig({
  test: {
    globalSetup: ['test/globalSetup.ts'],
    silent: 'passed-only',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      // They share one platform, and the modules it is made of: starting one for each file takes longer than the tests.
      { extends: true, test: { name: 'api', include: [API_TESTS], isolate: false } },
      { extends: true, test: { name: 'parts', include: ['test/**/*.test.ts'], exclude: [API_TESTS] } },
    ],
  },
});
