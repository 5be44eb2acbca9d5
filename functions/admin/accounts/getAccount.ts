import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { AccountView, viewAccount } from '#shared/domain/admin/accountView.ts';
import { requireAccount } from '#shared/storage/dynamodb/workspace/accounts.ts';

export const getAccount = adminOperation({
  name: 'getAccount',
  summary: "Gets the caller's account.",
  method: 'GET',
  path: '/admin/account/me',
  scope: 'account',
  table: 'reads',
  output: z.object({ account: AccountView }),
  statuses: [200],

  handle: async ({ account }) => ok({ account: viewAccount(await requireAccount(account.id)) }),
});
