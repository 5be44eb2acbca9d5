import { describe } from 'vitest';
import { useSharedPlatform } from '#test/support/platform.ts';
import { BOT } from '#test/support/suites/adminOwners.ts';
import { testRotateSecrets } from '#test/support/suites/signingSecrets.ts';

useSharedPlatform();

describe('POST /v1/admin/bots/{id}/signing-secrets/rotate', () => testRotateSecrets(BOT));
