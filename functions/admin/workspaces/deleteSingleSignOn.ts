import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { notFound } from '#shared/core/errors.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';
import { findSingleSignOn, removeSingleSignOn } from '#shared/storage/dynamodb/workspace/singleSignOn.ts';

export const deleteSingleSignOn = adminOperation({
  name: 'deleteSingleSignOn',
  summary: 'Removes the single sign-on of a workspace, and ends all of its sessions within 30 seconds. Members stay.',
  method: 'DELETE',
  path: '/admin/workspaces/{id}/single-sign-on',
  scope: 'account',
  workspaceIn: 'id',
  grants: 'membership',
  table: 'writes',
  output: z.object({}),
  statuses: [200],

  handle: async ({ account, workspaceId, nowMs, commit }) => {
    const settings = await findSingleSignOn(workspaceId);
    if (!settings) throw notFound('The single sign-on');
    return commit(ok({}), [
      removeSingleSignOn(workspaceId, settings),
      putAudit(
        workspaceId,
        auditActor(account),
        {
          action: 'UNKNOWN',
          resourceId: workspaceId,
          resourceName: settings.issuer,
          value: 'DELETE_SINGLE_SIGN_ON',
        },
        nowMs,
      ),
    ]);
  },
});
