import { describe } from 'vitest';
import { useSharedPlatform } from '#test/support/platform.ts';
import { testSetPreference } from '#test/support/suites/preferences.ts';

useSharedPlatform();

describe('POST /v1/admin/account/preferences/{key}', () => {
  testSetPreference({
    path: '/account/preferences',
    set: (client, input) => client.setAccountPreference(input),
    get: (client, input) => client.getAccountPreference(input),
  });
});
