import * as z from 'zod/mini';
import { created } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { optionalName } from '#shared/core/text.ts';
import { AccountView, viewAccount } from '#shared/domain/admin/accountView.ts';
import { note } from '#shared/domain/admin/adminInputs.ts';
import { NewSessionView, viewSession } from '#shared/domain/admin/sessionView.ts';
import { acceptance, openInvitation } from '#shared/domain/admin/workspaces/invitations.ts';
import { membershipOf } from '#shared/domain/admin/workspaces/memberBots.ts';
import { newAccount } from '#shared/domain/admin/workspaces/newWorkspace.ts';
import { putNewAccount } from '#shared/storage/dynamodb/workspace/accounts.ts';
import { newSession } from '#shared/storage/dynamodb/workspace/sessions.ts';
import { mintToken } from '#shared/storage/dynamodb/workspace/tokens.ts';

export const acceptInvitation = adminOperation({
  name: 'acceptInvitation',
  summary:
    'Accepts an invitation with a new account, and returns its first token, or with `session` signs the person in. Both are shown only once. Existing accounts use `joinWorkspace`.',
  method: 'POST',
  path: '/admin/invitations/accept',
  // Always creates a new account. Otherwise an inviter could take over an existing account by its email.
  scope: 'public',
  table: 'writes',
  partitions: { writes: ['accounts', 'answers', 'workspaces'], appends: ['audit'] },
  body: z.object({
    inviteToken: z.string(),
    displayName: z.optional(optionalName(200)),
    session: z.optional(z.object({ note: z.optional(note()) })),
  }),
  output: z.object({
    account: AccountView,
    workspaceId: z.string(),
    token: z.optional(z.string()),
    session: z.optional(NewSessionView),
  }),
  statuses: [201],
  showsSecret: true,

  handle: async ({ input: { inviteToken, displayName, session: asked }, nowMs, commit }) => {
    const { workspaceId, member } = await openInvitation(inviteToken, nowMs);
    const account = {
      ...newAccount(member.email, nowMs, displayName),
      memberships: { [workspaceId]: membershipOf(member) },
    };
    const signedIn = asked && newSession(account.id, { note: asked.note ?? '', creator: undefined, nowMs });
    const { value, write } = signedIn ?? mintToken('pat', account.id, { note: 'First token', nowMs });
    const credential = signedIn ? { session: { ...viewSession(signedIn.token), value } } : { token: value };
    return commit(created({ account: viewAccount(account), workspaceId, ...credential }), [
      ...acceptance(workspaceId, member, account, nowMs),
      putNewAccount(account),
      write,
    ]);
  },
});
