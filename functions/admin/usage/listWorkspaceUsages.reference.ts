import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { listWorkspaceUsages } from './listWorkspaceUsages.ts';

export default reference<typeof listWorkspaceUsages>({
  example: { path: { id: EXAMPLE.workspace }, query: { type: 'bot_count' } },
  budget: { calls: 2 },
});
