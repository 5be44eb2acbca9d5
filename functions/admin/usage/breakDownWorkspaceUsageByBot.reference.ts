import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { breakDownWorkspaceUsageByBot } from './breakDownWorkspaceUsageByBot.ts';

export default reference<typeof breakDownWorkspaceUsageByBot>({
  example: { path: { id: EXAMPLE.workspace }, query: { type: 'bot_count' } },
  budget: { calls: 1 },
});
