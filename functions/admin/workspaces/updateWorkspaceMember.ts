import * as z from 'zod/mini';
import { requireRank } from '#shared/api/auth/callerLimits.ts';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { MemberView, requireMember, showMembers } from '#shared/domain/admin/workspaces/memberView.ts';
import { roleChange } from '#shared/domain/admin/workspaces/roleChange.ts';
import { auditActor } from '#shared/storage/dynamodb/workspace/audit.ts';
import { ROLES } from '#shared/storage/dynamodb/workspace/roles.ts';

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
    return commit(ok(view!), await roleChange(workspaceId, member, after.role, { actor: auditActor(account), nowMs }));
  },
});
