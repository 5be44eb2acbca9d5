import * as z from 'zod/mini';
import { requireRank } from '#shared/api/auth/callerLimits.ts';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { botIds, requireBotsOf } from '#shared/domain/admin/workspaces/memberBots.ts';
import { hasSameBots, memberChange } from '#shared/domain/admin/workspaces/memberChange.ts';
import { MemberView, requireMember, showMembers } from '#shared/domain/admin/workspaces/memberView.ts';
import { auditActor } from '#shared/storage/dynamodb/workspace/audit.ts';
import { ROLES } from '#shared/storage/dynamodb/workspace/roles.ts';

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
    if (after.role === member.role && hasSameBots(after, member)) return ok(view!);
    requireRank(own, member.role);
    requireRank(own, after.role);
    await requireBotsOf(workspaceId, limit ?? [], member.botIds);
    return commit(ok(view!), await memberChange(workspaceId, member, after, { actor: auditActor(account), nowMs }));
  },
});
