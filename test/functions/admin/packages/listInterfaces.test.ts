import { describe } from 'vitest';
import { useSharedPlatform } from '#test/support/platform.ts';
import { INTERFACE, testListPackages } from '#test/support/suites/packages.ts';

useSharedPlatform();

describe('GET /v1/admin/interfaces', () => testListPackages(INTERFACE));
