import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { createIntegrationApiKey } from './createIntegrationApiKey.ts';

export default reference<typeof createIntegrationApiKey>({
  example: { body: { integrationId: EXAMPLE.integration, note: 'Server' } },
  budget: { calls: 3 },
});
