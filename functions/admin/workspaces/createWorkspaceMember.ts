import * as z from 'zod/mini';
import { requireRank } from '#shared/api/auth/callerLimits.ts';
import { created } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { dateTime, iso } from '#shared/api/views.ts';
import { email } from '#shared/domain/admin/adminInputs.ts';
import { newInvitation } from '#shared/domain/admin/workspaces/invitations.ts';
import { botIds, requireBotsOf } from '#shared/domain/admin/workspaces/memberBots.ts';
import { MemberView, viewMember } from '#shared/domain/admin/workspaces/memberView.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';
import { ROLES } from '#shared/storage/dynamodb/workspace/roles.ts';
import { changeGauge } from '#shared/storage/dynamodb/workspace/usage.ts';
import {
  type Member,
  memberIdOf,
  putNewMember,
  workspaceMustExist,
} from '#shared/storage/dynamodb/workspace/workspaces.ts';

export const createWorkspaceMember = adminOperation({
  name: 'createWorkspaceMember',
  summary:
    'Invites a member. The response contains an `inviteToken`, shown only once, for `acceptInvitation` (a new account) or `joinWorkspace` (an existing one). No mail is sent.',
  method: 'POST',
  path: '/admin/workspace-members',
  scope: 'account',
  grants: 'membership',
  table: 'writes',
  partitions: { appends: ['gauges', 'usage'] },
  body: z.object({
    email: email(),
    role: z.enum(ROLES),
    botIds: z.optional(botIds()),
    sendEmail: z.optional(z.boolean()),
  }),
  output: z.extend(MemberView, { inviteToken: z.string(), inviteExpiresAt: dateTime() }),
  statuses: [201],
  showsSecret: true,

  handle: async ({ input, account, role, workspaceId, nowMs, commit }) => {
    requireRank(role, input.role);
    await requireBotsOf(workspaceId, input.botIds ?? []);
    const id = memberIdOf(workspaceId, input.email);
    const { value, inviteHash, inviteExpiresAtMs } = newInvitation(workspaceId, id, nowMs);
    const { email: address, role: invitedAs, botIds: limit } = input;
    const member: Member = {
      ...{ id, email: address, role: invitedAs, botIds: limit, createdAtMs: nowMs },
      ...{ inviteHash, inviteExpiresAtMs },
    };
    const answer = { ...viewMember(member), inviteToken: value, inviteExpiresAt: iso(inviteExpiresAtMs) };
    return commit(created(answer), [
      putNewMember(workspaceId, member),
      workspaceMustExist(workspaceId),
      ...changeGauge(workspaceId, 'workspace_member_count', 1, { nowMs }),
      putAudit(
        workspaceId,
        auditActor(account),
        { action: 'ADD_WORKSPACE_MEMBER', resourceId: id, resourceName: address, value: invitedAs },
        nowMs,
      ),
    ]);
  },
});
