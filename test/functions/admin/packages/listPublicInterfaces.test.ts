import { describe } from 'vitest';
import { useSharedPlatform } from '#test/support/platform.ts';
import { INTERFACE, testListPublicPackages } from '#test/support/suites/packages.ts';

useSharedPlatform();

describe('GET /v1/admin/hub/interfaces', () => testListPublicPackages(INTERFACE));
