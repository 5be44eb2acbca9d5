import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { preferenceKeyOf } from '#shared/domain/admin/preferenceInputs.ts';
import { findPreference } from '#shared/storage/dynamodb/workspace/preferences.ts';

export const getAccountPreference = adminOperation({
  name: 'getAccountPreference',
  summary: 'Gets a preference of the caller. The response has no value if none is stored.',
  method: 'GET',
  path: '/admin/account/preferences/{key}',
  scope: 'account',
  table: 'reads',
  largeValues: 'reads',
  output: z.object({ value: z.optional(z.any()) }),
  statuses: [200],

  handle: async ({ input, account }) =>
    ok({ value: await findPreference({ accountId: account.id }, preferenceKeyOf(input.key)) }),
});
