import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { ApiError } from '#shared/core/errors.ts';
import { own } from '#shared/core/own.ts';
import { acceptance, openInvitation } from '#shared/domain/admin/workspaces/invitations.ts';
import { membershipOf } from '#shared/domain/admin/workspaces/memberBots.ts';
import { MemberView, viewMember } from '#shared/domain/admin/workspaces/memberView.ts';
import { requireAccount, setMembership } from '#shared/storage/dynamodb/workspace/accounts.ts';

export const joinWorkspace = adminOperation({
  name: 'joinWorkspace',
  summary: "Accepts an invitation with the caller's existing account.",
  method: 'POST',
  path: '/admin/invitations/join',
  scope: 'token',
  grants: 'membership',
  table: 'writes',
  body: z.object({ inviteToken: z.string() }),
  output: z.object({ workspaceId: z.string(), member: MemberView }),
  statuses: [200],

  handle: async ({ input, principal, nowMs, commit }) => {
    if (principal.kind !== 'account')
      throw new ApiError('Forbidden', 'This operation requires the token of an account.');
    const account = await requireAccount(principal.account.id);
    const { workspaceId, member } = await openInvitation(input.inviteToken, nowMs);
    if (own(account.memberships, workspaceId)) {
      throw new ApiError('AlreadyExists', 'This account is already a member of the workspace.');
    }
    const joined = { ...member, accountId: account.id };
    return commit(ok({ workspaceId, member: viewMember(joined, account) }), [
      ...acceptance(workspaceId, member, account, nowMs),
      setMembership(account, workspaceId, membershipOf(member)),
    ]);
  },
});
