import { describe } from 'vitest';
import { useSharedPlatform } from '#test/support/platform.ts';
import { INTEGRATION } from '#test/support/suites/adminOwners.ts';
import { testListKeys } from '#test/support/suites/apiKeys.ts';

useSharedPlatform();

describe('GET /v1/admin/integrations/iaks', () => testListKeys(INTEGRATION));
