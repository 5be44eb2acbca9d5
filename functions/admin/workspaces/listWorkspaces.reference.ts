import { reference } from '#shared/api/reference/reference.ts';
import type { listWorkspaces } from './listWorkspaces.ts';

export default reference<typeof listWorkspaces>({
  parameters: {
    handle: 'Returns only the workspace with this handle.',
  },
  example: {},
  budget: { calls: 3 },
});
