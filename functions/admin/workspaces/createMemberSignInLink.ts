import * as z from 'zod/mini';
import { mayLink } from '#shared/api/auth/workspaceLimit.ts';
import { created } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { dateTime, iso } from '#shared/api/views.ts';
import { ApiError } from '#shared/core/errors.ts';
import { createMemberLink } from '#shared/domain/admin/linkToken.ts';
import { requireMember } from '#shared/domain/admin/workspaces/memberView.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';
import { memberMustBeUnchanged } from '#shared/storage/dynamodb/workspace/workspaces.ts';

export const createMemberSignInLink = adminOperation({
  name: 'createMemberSignInLink',
  summary:
    'Creates a sign-in link for a member who lost access. The token is shown only once, works once, and replaces that of an earlier link. The session is limited to this workspace.',
  method: 'POST',
  path: '/admin/workspace-members/{id}/sign-in-link',
  scope: 'account',
  grants: 'membership',
  table: 'writes',
  output: z.object({ token: z.string(), expiresAt: dateTime() }),
  statuses: [201],
  showsSecret: true,

  handle: async ({ input: { id }, account, role, token: caller, workspaceId, nowMs, commit }) => {
    const member = await requireMember(workspaceId, id);
    if (!mayLink(role, member.role)) {
      throw new ApiError('Forbidden', `A member with the role ${role} may not sign in a member with a higher role.`);
    }
    if (member.accountId === undefined) {
      throw new ApiError(
        'RelationConflict',
        `${member.email} has not accepted the invitation. Call renewInvitation for a new one.`,
      );
    }
    const link = await createMemberLink(member.accountId, { workspaceId, creator: account, caller, nowMs });
    return commit(created({ token: link.value, expiresAt: iso(link.expiresAtMs) }), [
      ...link.writes,
      memberMustBeUnchanged(workspaceId, member),
      putAudit(
        workspaceId,
        auditActor(account),
        { action: 'UNKNOWN', resourceId: id, resourceName: member.email, value: 'CREATE_SIGN_IN_LINK' },
        nowMs,
      ),
    ]);
  },
});
