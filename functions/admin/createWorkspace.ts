import * as z from 'zod/mini';
import { name } from '#shared/admin/inputs.ts';
import { newWorkspace } from '#shared/admin/workspaces/newWorkspace.ts';
import { viewWorkspace, WorkspaceView } from '#shared/admin/workspaces/view.ts';
import { created } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/platform/operation.ts';
import { setMembership } from '#shared/dynamodb/workspace/accounts.ts';

export const createWorkspace = adminOperation({
  name: 'createWorkspace',
  summary: 'Creates a workspace owned by the caller.',
  method: 'POST',
  path: '/admin/workspaces',
  scope: 'account',
  table: 'writes',
  body: z.object({ name: name(), billingVersion: z.optional(z.literal('v4')) }),
  output: WorkspaceView,
  statuses: [201],

  handle: async ({ input, account, nowMs, commit }) => {
    const { workspace, member, writes } = newWorkspace(account, input.name, nowMs);
    return commit(created(viewWorkspace(workspace, 0)), [
      setMembership(account, workspace.id, { role: 'owner', memberId: member.id }),
      ...writes,
    ]);
  },
});
