import { reference } from '#shared/api/reference/reference.ts';
import type { getIntegrationByName } from './getIntegrationByName.ts';

export default reference<typeof getIntegrationByName>({
  example: { path: { name: 'mail', version: '1.0.0' } },
  budget: { calls: 2 },
});
