import * as z from 'zod/mini';
import { requireOwn } from '#shared/api/auth/callerLimits.ts';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { requireIntegration } from '#shared/domain/admin/integrations/requireIntegration.ts';
import { removeIntegration } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';
import { changeGauge } from '#shared/storage/dynamodb/workspace/usage.ts';

export const deleteIntegration = adminOperation({
  name: 'deleteIntegration',
  summary: 'Deletes an integration without installations. Its keys stop working immediately.',
  method: 'DELETE',
  path: '/admin/integrations/{id}',
  scope: 'account',
  grants: 'nothing',
  isIrreversible: true,
  table: 'writes',
  partitions: { writes: ['integrationNames', 'hub'], appends: ['gauges', 'usage'] },
  output: z.object({}),
  statuses: [200],

  // `sweepDeleted` deletes the definition, keys and log.
  handle: async call => {
    const { input, account, workspaceId, nowMs, commit } = call;
    const integration = await requireIntegration(workspaceId, input.id);
    requireOwn(call, integration.createdBy === account.id);
    return commit(ok({}), [
      ...removeIntegration(integration),
      ...changeGauge(workspaceId, 'integrations_owned_count', -1, { nowMs }),
      putAudit(
        workspaceId,
        auditActor(account),
        {
          action: 'UNKNOWN',
          resourceId: integration.id,
          resourceName: `${integration.name} ${integration.version}`,
          value: 'DELETE_INTEGRATION',
        },
        nowMs,
      ),
    ]);
  },
});
