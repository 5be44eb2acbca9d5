import * as z from 'zod/mini';
import { requireRank } from '#shared/api/auth/callerLimits.ts';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { dateTime, iso } from '#shared/api/views.ts';
import { ApiError } from '#shared/core/errors.ts';
import { newInvitation } from '#shared/domain/admin/workspaces/invitations.ts';
import { MemberView, requireMember, viewMember } from '#shared/domain/admin/workspaces/memberView.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';
import { replaceInvitation, workspaceMustExist } from '#shared/storage/dynamodb/workspace/workspaces.ts';

export const renewInvitation = adminOperation({
  name: 'renewInvitation',
  summary:
    'Replaces an open or expired invitation: returns a new `inviteToken`, shown only once, and the previous one stops working. No mail is sent.',
  method: 'POST',
  path: '/admin/workspace-members/{id}/invitation',
  scope: 'account',
  grants: 'membership',
  table: 'writes',
  output: z.extend(MemberView, { inviteToken: z.string(), inviteExpiresAt: dateTime() }),
  statuses: [200],
  showsSecret: true,

  handle: async ({ input: { id }, account, role, workspaceId, nowMs, commit }) => {
    const member = await requireMember(workspaceId, id);
    requireRank(role, member.role);
    if (member.accountId !== undefined) {
      throw new ApiError('AlreadyExists', `${member.email} has already accepted the invitation.`);
    }
    const { value, ...invitation } = newInvitation(workspaceId, id, nowMs);
    const answer = {
      ...viewMember({ ...member, ...invitation }),
      inviteToken: value,
      inviteExpiresAt: iso(invitation.inviteExpiresAtMs),
    };
    return commit(ok(answer), [
      replaceInvitation(workspaceId, member, invitation),
      workspaceMustExist(workspaceId),
      putAudit(
        workspaceId,
        auditActor(account),
        { action: 'UPDATE_WORKSPACE_MEMBER', resourceId: id, resourceName: member.email, value: 'invited again' },
        nowMs,
      ),
    ]);
  },
});
