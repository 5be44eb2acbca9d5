import * as z from 'zod/mini';
import { currentAccount } from '#shared/admin/accounts.ts';
import { acceptance, MemberView, openInvitation, viewMember } from '#shared/admin/workspaces.ts';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/platform/operation.ts';
import { setMembership } from '#shared/dynamodb/workspace/accounts.ts';
import { ApiError } from '#shared/errors.ts';

export const joinWorkspace = adminOperation({
  name: 'joinWorkspace',
  summary: 'Accepts an invitation with the account that one has.',
  method: 'POST',
  path: '/admin/invitations/join',
  scope: 'token',
  table: 'writes',
  body: z.object({ inviteToken: z.string() }),
  output: z.object({ workspaceId: z.string(), member: MemberView }),
  statuses: [200],

  handle: async ({ input, principal, token, nowMs, commit }) => {
    if (principal.kind !== 'account') throw new ApiError('Forbidden', 'Only the token of an account may do this.');
    if (token.scopes) throw new ApiError('Forbidden', 'A token with scopes cannot join a workspace.');
    const account = await currentAccount(principal.account);
    const { workspaceId, member } = await openInvitation(input.inviteToken, nowMs);
    if (account.memberships[workspaceId]) {
      throw new ApiError('AlreadyExists', 'This account is a member of the workspace already.');
    }
    const joined = { ...member, accountId: account.id };
    return commit(ok({ workspaceId, member: viewMember(joined, account) }), [
      ...acceptance(workspaceId, member, account, nowMs),
      setMembership(account, workspaceId, { role: member.role, memberId: member.id }),
    ]);
  },
});
