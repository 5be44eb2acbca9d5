import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { PersonalTokenView, viewPersonalToken } from '#shared/domain/admin/keys.ts';
import { isWithinLimitOf, listTokens } from '#shared/storage/dynamodb/workspace/tokens.ts';

export const listPersonalAccessTokens = adminOperation({
  name: 'listPersonalAccessTokens',
  summary: 'Lists the personal access tokens of the caller, without their values.',
  method: 'GET',
  path: '/admin/account/pats',
  scope: 'account',
  table: 'reads',
  output: z.object({ pats: z.array(PersonalTokenView) }),
  statuses: [200],

  handle: async ({ account, token }) =>
    ok({
      pats: (await listTokens('pat', account.id)).filter(each => isWithinLimitOf(token, each)).map(viewPersonalToken),
    }),
});
