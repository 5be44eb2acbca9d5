import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { deleteIntegrationApiKey } from './deleteIntegrationApiKey.ts';

export default reference<typeof deleteIntegrationApiKey>({
  example: { path: { id: EXAMPLE.integrationKey } },
  budget: { calls: 3 },
});
