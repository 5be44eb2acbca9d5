import * as z from 'zod/mini';
import { requireUnlimited } from '#shared/api/auth/callerLimits.ts';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { requireIntegration } from '#shared/domain/admin/integrations/requireIntegration.ts';
import { newSigningSecret, rotated } from '#shared/domain/admin/signingSecrets.ts';
import { changeIntegrationRecord } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';
import { putLogLine } from '#shared/storage/dynamodb/workspace/logs.ts';

export const rotateIntegrationSigningSecrets = adminOperation({
  name: 'rotateIntegrationSigningSecrets',
  summary:
    'Creates a new signing secret of an integration, shown only once. The previous one stays valid for 24 hours.',
  method: 'POST',
  path: '/admin/integrations/{id}/signing-secrets/rotate',
  scope: 'account',
  grants: 'access',
  table: 'writes',
  partitions: { appends: ['logs'] },
  secrets: 'opens',
  output: z.object({ newSigningSecret: z.string() }),
  statuses: [200],
  showsSecret: true,

  handle: async ({ input, account, token, workspaceId, nowMs, commit }) => {
    requireUnlimited(token, 'the signing secret');
    const integration = await requireIntegration(workspaceId, input.id);
    const { value, stored } = newSigningSecret(integration.id);
    const signingSecrets = rotated(integration.signingSecrets, stored, nowMs);
    return commit(ok({ newSigningSecret: value }), [
      changeIntegrationRecord(integration, { ...integration, signingSecrets }),
      putLogLine(integration.id, { timestampMs: nowMs, level: 'info', message: 'The signing secret was rotated.' }),
      putAudit(
        workspaceId,
        auditActor(account),
        {
          action: 'UNKNOWN',
          resourceId: integration.id,
          resourceName: integration.name,
          value: 'ROTATE_INTEGRATION_SIGNING_SECRETS',
        },
        nowMs,
      ),
    ]);
  },
});
