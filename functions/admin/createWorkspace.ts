import * as z from 'zod/mini';
import { name } from '#shared/admin/inputs.ts';
import { newWorkspace } from '#shared/admin/workspaces/newWorkspace.ts';
import { viewWorkspace, WorkspaceView } from '#shared/admin/workspaces/view.ts';
import { created } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/platform/operation.ts';
import { setMembership } from '#shared/dynamodb/workspace/accounts.ts';
import { environment } from '#shared/environment.ts';
import { ApiError } from '#shared/errors.ts';

export const createWorkspace = adminOperation({
  name: 'createWorkspace',
  summary: 'Creates a workspace owned by the caller, with the quotas that the operator set for new ones.',
  method: 'POST',
  path: '/admin/workspaces',
  scope: 'account',
  grants: 'access',
  table: 'writes',
  partitions: { appends: ['levels', 'usage'] },
  body: z.object({ name: name(), billingVersion: z.optional(z.literal('v4')) }),
  output: WorkspaceView,
  statuses: [201],

  handle: async ({ input, account, nowMs, commit }) => {
    if (!environment.mayCreateWorkspaces) {
      throw new ApiError('Forbidden', 'The operator of this deployment creates workspaces. Ask them for one.');
    }
    const quotas = environment.defaultQuotas;
    const { workspace, member, writes } = newWorkspace(account, input.name, { nowMs, quotas });
    return commit(created(viewWorkspace(workspace, 0)), [
      setMembership(account, workspace.id, { role: 'owner', memberId: member.id }),
      ...writes,
    ]);
  },
});
