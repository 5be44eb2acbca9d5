import * as z from 'zod/mini';
import { requireMember } from '#shared/admin/workspaces/members.ts';
import { requireOwn, requireRank } from '#shared/api/auth/limits.ts';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/platform/operation.ts';
import { endMembership } from '#shared/dynamodb/workspace/accounts.ts';
import { auditActor, putAudit } from '#shared/dynamodb/workspace/audit.ts';
import { changeLevel } from '#shared/dynamodb/workspace/usage.ts';
import { countOwner, removeMember } from '#shared/dynamodb/workspace/workspaces.ts';

export const deleteWorkspaceMember = adminOperation({
  name: 'deleteWorkspaceMember',
  summary: 'Removes a member or an invitation. Every member may leave, except for the last owner.',
  method: 'DELETE',
  path: '/admin/workspace-members/{id}',
  scope: 'account',
  table: 'writes',
  output: z.object({}),
  statuses: [200],

  handle: async call => {
    const { input, account, role, workspaceId, nowMs, commit } = call;
    const member = await requireMember(workspaceId, input.id);
    requireOwn(call, member.accountId === account.id);
    if (member.accountId !== account.id) requireRank(role, member.role);
    const isOwner = member.role === 'owner' && member.accountId !== undefined;
    return commit(ok({}), [
      removeMember(workspaceId, member),
      ...(member.accountId === undefined ? [] : [endMembership(member.accountId, workspaceId)]),
      ...(isOwner ? [countOwner(workspaceId, -1)] : []),
      ...changeLevel(workspaceId, 'workspace_member_count', -1, { nowMs }),
      putAudit(
        workspaceId,
        auditActor(account),
        { action: 'REMOVE_WORKSPACE_MEMBER', resourceId: member.id, resourceName: member.email, value: member.role },
        nowMs,
      ),
    ]);
  },
});
