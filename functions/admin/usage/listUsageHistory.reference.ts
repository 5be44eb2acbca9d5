import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { listUsageHistory } from './listUsageHistory.ts';

export default reference<typeof listUsageHistory>({
  example: { path: { id: EXAMPLE.workspace }, query: { type: 'bot_count' } },
  budget: { calls: 3 },
});
