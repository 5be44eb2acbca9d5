import { requireWorkspace, showWorkspace, WorkspaceView } from '#shared/admin/workspaces.ts';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/platform/operation.ts';

export const getWorkspace = adminOperation({
  name: 'getWorkspace',
  summary: 'A workspace that the caller is a member of. While it is being deleted it is blocked, and then gone.',
  method: 'GET',
  path: '/admin/workspaces/{id}',
  scope: 'account',
  workspaceIn: 'id',
  table: 'reads',
  output: WorkspaceView,
  statuses: [200],

  handle: async ({ workspaceId }) => ok(await showWorkspace(await requireWorkspace(workspaceId))),
});
