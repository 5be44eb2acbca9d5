import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getWorkspaceQuota } from './getWorkspaceQuota.ts';

export default reference<typeof getWorkspaceQuota>({
  example: { path: { id: EXAMPLE.workspace }, query: { type: 'bot_count' } },
  budget: { calls: 1 },
});
