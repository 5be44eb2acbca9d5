import { EXAMPLE, EXAMPLE_DAY } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getBotLogs } from './getBotLogs.ts';

export default reference<typeof getBotLogs>({
  example: { path: { id: EXAMPLE.bot }, query: { timeStart: `${EXAMPLE_DAY}T00:00:00Z` } },
  budget: { calls: 2 },
});
