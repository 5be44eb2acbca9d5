import * as z from 'zod/mini';
import { auditActor } from '#shared/admin/accounts.ts';
import { note, tokenFields } from '#shared/admin/inputs.ts';
import { requireIntegration } from '#shared/admin/integrations.ts';
import { grantToken, NewTokenView, viewToken } from '#shared/admin/keys.ts';
import { created } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/platform/operation.ts';
import { putAudit } from '#shared/dynamodb/workspace/audit.ts';
import { integrationMustLive } from '#shared/dynamodb/workspace/integrations.ts';

export const createIntegrationApiKey = adminOperation({
  name: 'createIntegrationApiKey',
  summary: 'Makes a key of an integration. Its value is shown this once.',
  method: 'POST',
  path: '/admin/integrations/iaks',
  scope: 'account',
  table: 'writes',
  body: z.object({ integrationId: z.string(), note: z.optional(note()), ...tokenFields }),
  output: NewTokenView,
  statuses: [201],
  showsSecret: true,

  handle: async ({ input, account, workspaceId, token: maker, nowMs, commit }) => {
    const integration = await requireIntegration(workspaceId, input.integrationId);
    const { value, token, part } = grantToken('iak', integration.id, input, { token: maker, nowMs });
    return commit(created({ ...viewToken(token), value }), [
      part,
      integrationMustLive(integration),
      putAudit(
        workspaceId,
        auditActor(account),
        {
          action: 'UNKNOWN',
          resourceId: integration.id,
          resourceName: integration.name,
          value: `CREATE_INTEGRATION_API_KEY ${token.id}`,
        },
        nowMs,
      ),
    ]);
  },
});
