import * as z from 'zod/mini';
import { requireRank } from '#shared/api/auth/callerLimits.ts';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { MemberView, requireMember, showMembers } from '#shared/domain/admin/workspaces/memberView.ts';
import { formatRedeployed, mayDeploy, redeployCodeOf } from '#shared/domain/admin/workspaces/redeployCode.ts';
import { setMembership } from '#shared/storage/dynamodb/workspace/accounts.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';
import { ROLES } from '#shared/storage/dynamodb/workspace/roles.ts';
import { changeRole, countOwner } from '#shared/storage/dynamodb/workspace/workspaces.ts';

export const updateWorkspaceMember = adminOperation({
  name: 'updateWorkspaceMember',
  summary:
    'Changes the role of a member. The last owner keeps their role. Code that the member deployed gets new keys if the new role may not deploy.',
  method: 'PUT',
  path: '/admin/workspace-members/{id}',
  scope: 'account',
  grants: 'membership',
  table: 'writes',
  body: z.object({ role: z.optional(z.enum(ROLES)) }),
  output: MemberView,
  statuses: [200],

  handle: async ({ input: { id, role }, account, role: own, workspaceId, nowMs, commit }) => {
    const member = await requireMember(workspaceId, id);
    const after = { ...member, role: role ?? member.role };
    const [view] = await showMembers([after]);
    if (after.role === member.role) return ok(view!);
    requireRank(own, member.role);
    requireRank(own, after.role);
    const { accountId } = member;
    const isDemoted = accountId !== undefined && mayDeploy(member.role) && !mayDeploy(after.role);
    const redeployed = isDemoted ? await redeployCodeOf(workspaceId, accountId, nowMs) : [];
    // An invited owner counts only after accepting the invitation.
    const owners = accountId === undefined ? 0 : Number(after.role === 'owner') - Number(member.role === 'owner');
    return commit(ok(view!), [
      changeRole(workspaceId, member, after.role),
      ...(accountId === undefined
        ? []
        : [setMembership({ id: accountId }, workspaceId, { role: after.role, memberId: id })]),
      ...(owners === 0 ? [] : [countOwner(workspaceId, owners as 1 | -1)]),
      putAudit(
        workspaceId,
        auditActor(account),
        {
          action: 'UPDATE_WORKSPACE_MEMBER',
          resourceId: id,
          resourceName: member.email,
          value: `${member.role} to ${after.role}${formatRedeployed(redeployed)}`,
        },
        nowMs,
      ),
    ]);
  },
});
