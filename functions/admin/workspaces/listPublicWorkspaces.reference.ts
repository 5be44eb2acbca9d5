import { reference } from '#shared/api/reference/reference.ts';
import type { listPublicWorkspaces } from './listPublicWorkspaces.ts';

export default reference<typeof listPublicWorkspaces>({
  parameters: {
    search: 'Words in the name or handle.',
    workspaceIds: 'Filters by workspaces.',
  },
  example: { query: { search: 'acme' } },
  budget: { calls: 2 },
});
