import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getUsage } from './getUsage.ts';

export default reference<typeof getUsage>({
  example: { path: { id: EXAMPLE.workspace }, query: { type: 'bot_count' } },
  budget: { calls: 2 },
});
