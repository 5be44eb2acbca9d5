import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { notFound } from '#shared/core/errors.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';
import { removePersonalToken } from '#shared/storage/dynamodb/workspace/sessions.ts';
import { isWithinLimitOf, listTokens } from '#shared/storage/dynamodb/workspace/tokens.ts';

export const deletePersonalAccessToken = adminOperation({
  name: 'deletePersonalAccessToken',
  summary:
    'Revokes a personal access token of the caller and ends the sessions that it created. They stop working within a minute.',
  method: 'DELETE',
  path: '/admin/account/pats/{id}',
  scope: 'account',
  grants: 'access',
  table: 'writes',
  output: z.object({}),
  statuses: [200],

  handle: async ({ input: { id }, account, workspaceId, token: caller, nowMs, commit }) => {
    const token = (await listTokens('pat', account.id)).find(each => each.id === id && isWithinLimitOf(caller, each));
    if (!token) throw notFound(`The token ${id}`);
    return commit(ok({}), [
      ...(await removePersonalToken(account.id, token)),
      putAudit(
        workspaceId,
        auditActor(account),
        { action: 'UNKNOWN', resourceId: id, resourceName: token.note, value: 'DELETE_PERSONAL_ACCESS_TOKEN' },
        nowMs,
      ),
    ]);
  },
});
