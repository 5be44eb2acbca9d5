import { describe } from 'vitest';
import { useSharedPlatform } from '#test/support/platform.ts';
import { BOT } from '#test/support/suites/adminOwners.ts';
import { testCreateKey } from '#test/support/suites/apiKeys.ts';

useSharedPlatform();

describe('POST /v1/admin/bots/baks', () => testCreateKey(BOT));
