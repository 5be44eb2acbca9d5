import { describe } from 'vitest';
import { useSharedPlatform } from '#test/support/platform.ts';
import { PLUGIN, testListPackages } from '#test/support/suites/packages.ts';

useSharedPlatform();

describe('GET /v1/admin/plugins', () => testListPackages(PLUGIN));
