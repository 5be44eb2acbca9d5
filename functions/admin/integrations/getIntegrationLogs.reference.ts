import { EXAMPLE, EXAMPLE_DAY } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getIntegrationLogs } from './getIntegrationLogs.ts';

export default reference<typeof getIntegrationLogs>({
  example: { path: { id: EXAMPLE.integration }, query: { timeStart: `${EXAMPLE_DAY}T00:00:00Z` } },
  budget: { calls: 2 },
});
