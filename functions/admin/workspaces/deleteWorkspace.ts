import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { markEnding } from '#shared/storage/dynamodb/workspace/accounts.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';
import { endWorkspace } from '#shared/storage/dynamodb/workspace/workspaces.ts';

export const deleteWorkspace = adminOperation({
  name: 'deleteWorkspace',
  summary:
    'Deletes a workspace with all its bots, integrations and data. The deletion is complete when `getWorkspace` returns 404.',
  method: 'DELETE',
  path: '/admin/workspaces/{id}',
  scope: 'account',
  grants: 'access',
  workspaceIn: 'id',
  table: 'writes',
  output: z.object({}),
  statuses: [200],

  // `sweepDeleted` deletes the data.
  handle: async ({ account, workspaceId, nowMs, commit }) =>
    commit(ok({}), [
      endWorkspace(workspaceId, nowMs),
      markEnding(account.id, workspaceId),
      putAudit(workspaceId, auditActor(account), { action: 'CLOSE_WORKSPACE', resourceId: workspaceId }, nowMs),
    ]),
});
