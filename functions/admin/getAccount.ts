import * as z from 'zod/mini';
import { AccountView, currentAccount, viewAccount } from '#shared/admin/accounts.ts';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/platform/operation.ts';

export const getAccount = adminOperation({
  name: 'getAccount',
  summary: 'The account of the caller.',
  method: 'GET',
  path: '/admin/account/me',
  scope: 'account',
  table: 'reads',
  output: z.object({ account: AccountView }),
  statuses: [200],

  handle: async ({ account }) => ok({ account: viewAccount(await currentAccount(account)) }),
});
