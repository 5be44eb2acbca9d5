import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { optionalName, text } from '#shared/core/text.ts';
import { AccountView, viewAccount } from '#shared/domain/admin/accountView.ts';
import { changeAccount, requireAccount } from '#shared/storage/dynamodb/workspace/accounts.ts';

export const updateAccount = adminOperation({
  name: 'updateAccount',
  summary: "Updates the caller's account. An empty string removes a field.",
  method: 'PUT',
  path: '/admin/account/me',
  scope: 'account',
  grants: 'nothing',
  table: 'writes',
  body: z.object({
    displayName: z.optional(optionalName(200)),
    profilePicture: z.optional(text(20_000)),
    /** Ignored, because Parley has no identity provider to fetch the profile from. */
    refresh: z.optional(z.boolean()),
  }),
  output: z.object({ account: AccountView }),
  statuses: [200],

  handle: async ({ input: { displayName, profilePicture }, account, commit }) => {
    const before = await requireAccount(account.id);
    const after = {
      ...before,
      displayName: (displayName ?? before.displayName) || undefined,
      profilePicture: (profilePicture ?? before.profilePicture) || undefined,
    };
    return commit(ok({ account: viewAccount(after) }), [changeAccount(account.id, { displayName, profilePicture })]);
  },
});
