import * as z from 'zod/mini';
import { AccountView, currentAccount, viewAccount } from '#shared/admin/accounts.ts';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/platform/operation.ts';
import { changeAccount } from '#shared/dynamodb/workspace/accounts.ts';
import { text } from '#shared/text.ts';

export const updateAccount = adminOperation({
  name: 'updateAccount',
  summary: 'Changes the account of the caller. An empty text removes a field.',
  method: 'PUT',
  path: '/admin/account/me',
  scope: 'account',
  table: 'writes',
  body: z.object({
    displayName: z.optional(text(200)),
    profilePicture: z.optional(text(20_000)),
    /** The ecosystem's own service fetches the profile anew from who signed in; here there is nothing to fetch. */
    refresh: z.optional(z.boolean()),
  }),
  output: z.object({ account: AccountView }),
  statuses: [200],

  handle: async ({ input: { displayName, profilePicture }, account, commit }) => {
    const before = await currentAccount(account);
    const after = {
      ...before,
      displayName: (displayName ?? before.displayName) || undefined,
      profilePicture: (profilePicture ?? before.profilePicture) || undefined,
    };
    return commit(ok({ account: viewAccount(after) }), [changeAccount(account.id, { displayName, profilePicture })]);
  },
});
