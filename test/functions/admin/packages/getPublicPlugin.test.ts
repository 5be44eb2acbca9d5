import { describe } from 'vitest';
import { useSharedPlatform } from '#test/support/platform.ts';
import { PLUGIN, testGetPublicPackage } from '#test/support/suites/packages.ts';

useSharedPlatform();

describe('GET /v1/admin/hub/plugins/{name}/{version}', () => testGetPublicPackage(PLUGIN));
