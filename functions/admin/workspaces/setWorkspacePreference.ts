import * as z from 'zod/mini';
import { MEGABYTE, ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { preferenceKeyOf, preferenceValue } from '#shared/domain/admin/preferenceInputs.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';
import { setPreference } from '#shared/storage/dynamodb/workspace/preferences.ts';

export const setWorkspacePreference = adminOperation({
  name: 'setWorkspacePreference',
  summary: 'Sets a preference of the workspace, or removes it without a value.',
  method: 'POST',
  path: '/admin/workspaces/preferences/{key}',
  scope: 'account',
  grants: 'nothing',
  table: 'writes',
  largeValues: 'writes',
  payloadLimitBytes: 4 * MEGABYTE,
  body: z.object({ value: preferenceValue() }),
  output: z.object({}),
  statuses: [200],

  handle: async ({ input, account, workspaceId, nowMs, commit }) => {
    const key = preferenceKeyOf(input.key);
    return commit(ok({}), [
      ...(await setPreference({ workspaceId }, key, input.value)),
      putAudit(
        workspaceId,
        auditActor(account),
        { action: 'UPDATE_WORKSPACE', resourceId: workspaceId, value: `preference ${key}` },
        nowMs,
      ),
    ]);
  },
});
