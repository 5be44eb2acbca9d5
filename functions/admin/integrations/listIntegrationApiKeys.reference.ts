import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { listIntegrationApiKeys } from './listIntegrationApiKeys.ts';

export default reference<typeof listIntegrationApiKeys>({
  parameters: {
    integrationId: 'The integration whose keys are listed.',
  },
  example: { query: { integrationId: EXAMPLE.integration } },
  budget: { calls: 2 },
});
