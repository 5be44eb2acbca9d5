import * as z from 'zod/mini';
import { MEGABYTE, ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { preferenceKeyOf, preferenceValue } from '#shared/domain/admin/preferenceInputs.ts';

import { setPreference } from '#shared/storage/dynamodb/workspace/preferences.ts';

export const setAccountPreference = adminOperation({
  name: 'setAccountPreference',
  summary: 'Sets a preference of the caller, or removes it without a value.',
  method: 'POST',
  path: '/admin/account/preferences/{key}',
  scope: 'account',
  grants: 'nothing',
  table: 'writes',
  largeValues: 'writes',
  payloadLimitBytes: 4 * MEGABYTE,
  body: z.object({ value: preferenceValue() }),
  output: z.object({}),
  statuses: [200],

  handle: async ({ input, account, commit }) => {
    const key = preferenceKeyOf(input.key);
    return commit(ok({}), await setPreference({ accountId: account.id }, key, input.value));
  },
});
