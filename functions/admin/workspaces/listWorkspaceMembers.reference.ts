import { reference } from '#shared/api/reference/reference.ts';
import type { listWorkspaceMembers } from './listWorkspaceMembers.ts';

export default reference<typeof listWorkspaceMembers>({
  example: {},
  budget: { calls: 2 },
});
