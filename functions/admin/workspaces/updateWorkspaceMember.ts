import * as z from 'zod/mini';
import { requireRank } from '#shared/api/auth/callerLimits.ts';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { botIds, membershipOf, requireBotsOf } from '#shared/domain/admin/workspaces/memberBots.ts';
import { MemberView, requireMember, showMembers } from '#shared/domain/admin/workspaces/memberView.ts';
import { formatRedeployed, mayDeploy, redeployCodeOf } from '#shared/domain/admin/workspaces/redeployCode.ts';
import { setMembership } from '#shared/storage/dynamodb/workspace/accounts.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';
import { ROLES } from '#shared/storage/dynamodb/workspace/roles.ts';
import { changeMember, countOwner, type Member } from '#shared/storage/dynamodb/workspace/workspaces.ts';

export const updateWorkspaceMember = adminOperation({
  name: 'updateWorkspaceMember',
  summary:
    'Changes the role of a member, or the bots to which an agent is limited. The last owner keeps their role. Code that the member deployed gets new keys if the new role may not deploy.',
  method: 'PUT',
  path: '/admin/workspace-members/{id}',
  scope: 'account',
  grants: 'membership',
  table: 'writes',
  body: z.object({ role: z.optional(z.enum(ROLES)), botIds: z.optional(z.nullable(botIds())) }),
  output: MemberView,
  statuses: [200],

  handle: async ({ input: { id, role, botIds: limit }, account, role: own, workspaceId, nowMs, commit }) => {
    const member = await requireMember(workspaceId, id);
    const after = {
      ...member,
      role: role ?? member.role,
      botIds: limit === undefined ? member.botIds : (limit ?? undefined),
    };
    const [view] = await showMembers([after]);
    const areBotsChanged = !isSameLimit(after, member);
    if (after.role === member.role && !areBotsChanged) return ok(view!);
    requireRank(own, member.role);
    requireRank(own, after.role);
    await requireBotsOf(workspaceId, limit ?? [], member.botIds);
    const { accountId } = member;
    const isDemoted = accountId !== undefined && mayDeploy(member.role) && !mayDeploy(after.role);
    const redeployed = isDemoted ? await redeployCodeOf(workspaceId, accountId, nowMs) : [];
    // An invited owner counts only after accepting the invitation.
    const owners = accountId === undefined ? 0 : Number(after.role === 'owner') - Number(member.role === 'owner');
    return commit(ok(view!), [
      changeMember(workspaceId, member, after),
      ...(accountId === undefined ? [] : [setMembership({ id: accountId }, workspaceId, membershipOf(after))]),
      ...(owners === 0 ? [] : [countOwner(workspaceId, owners as 1 | -1)]),
      putAudit(
        workspaceId,
        auditActor(account),
        {
          action: 'UPDATE_WORKSPACE_MEMBER',
          resourceId: id,
          resourceName: member.email,
          value: changeText(member, after) + formatRedeployed(redeployed),
        },
        nowMs,
      ),
    ]);
  },
});

const isSameLimit = (one: Member, other: Member) => JSON.stringify(one.botIds) === JSON.stringify(other.botIds);

/** For example `viewer to agent, bots: all to 2`. */
function changeText(before: Member, after: Member): string {
  const bots = [before, after].map(({ botIds: limit }) => limit?.length ?? 'all').join(' to ');
  return `${before.role} to ${after.role}${isSameLimit(before, after) ? '' : `, bots: ${bots}`}`;
}
