import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { requireWorkspace, showWorkspace, WorkspaceView } from '#shared/domain/admin/workspaces/workspaceView.ts';

export const getWorkspace = adminOperation({
  name: 'getWorkspace',
  summary: 'Gets a workspace of the caller. It is `blocked` until its deletion is complete.',
  method: 'GET',
  path: '/admin/workspaces/{id}',
  scope: 'account',
  workspaceIn: 'id',
  table: 'reads',
  partitions: { reads: ['gauges'] },
  output: WorkspaceView,
  statuses: [200],

  handle: async ({ workspaceId }) => ok(await showWorkspace(await requireWorkspace(workspaceId))),
});
