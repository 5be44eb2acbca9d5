import { describe } from 'vitest';
import { useSharedPlatform } from '#test/support/platform.ts';
import { BOT } from '#test/support/suites/adminOwners.ts';
import { testListKeys } from '#test/support/suites/apiKeys.ts';

useSharedPlatform();

describe('GET /v1/admin/bots/baks', () => testListKeys(BOT));
