import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { requireIntegration } from '#shared/domain/admin/integrations/requireIntegration.ts';
import { requireKey } from '#shared/domain/admin/keys.ts';
import { removeKey } from '#shared/storage/dynamodb/callers/createdKeys.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';

export const deleteIntegrationApiKey = adminOperation({
  name: 'deleteIntegrationApiKey',
  summary: 'Revokes an API key of an integration. It stops working within a minute.',
  method: 'DELETE',
  path: '/admin/integrations/iaks/{id}',
  scope: 'account',
  grants: 'access',
  table: 'writes',
  output: z.object({}),
  statuses: [200],

  handle: async ({ input: { id }, account, workspaceId, nowMs, commit }) => {
    const { ownerId, token } = await requireKey('iak', id);
    const integration = await requireIntegration(workspaceId, ownerId);
    return commit(ok({}), [
      ...removeKey(workspaceId, { kind: 'iak', ownerId, token }),
      putAudit(
        workspaceId,
        auditActor(account),
        {
          action: 'UNKNOWN',
          resourceId: ownerId,
          resourceName: integration.name,
          value: `DELETE_INTEGRATION_API_KEY ${id}`,
        },
        nowMs,
      ),
    ]);
  },
});
