import { describe } from 'vitest';
import { useSharedPlatform } from '#test/support/platform.ts';
import { INTEGRATION } from '#test/support/suites/adminOwners.ts';
import { testRotateSecrets } from '#test/support/suites/signingSecrets.ts';

useSharedPlatform();

describe('POST /v1/admin/integrations/{id}/signing-secrets/rotate', () => testRotateSecrets(INTEGRATION));
