import * as z from 'zod/mini';
import { created } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { note, tokenFields } from '#shared/domain/admin/adminInputs.ts';
import { requireIntegration } from '#shared/domain/admin/integrations/requireIntegration.ts';
import { grantToken, NewTokenView, viewToken } from '#shared/domain/admin/keys.ts';
import { recordCreator } from '#shared/storage/dynamodb/callers/createdKeys.ts';
import { integrationMustExist } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';
import { countToken } from '#shared/storage/dynamodb/workspace/tokens.ts';

export const createIntegrationApiKey = adminOperation({
  name: 'createIntegrationApiKey',
  summary: 'Creates an API key of an integration. Its value is shown only once.',
  method: 'POST',
  path: '/admin/integrations/iaks',
  scope: 'account',
  grants: 'access',
  table: 'writes',
  body: z.object({ integrationId: z.string(), note: z.optional(note()), ...tokenFields }),
  output: NewTokenView,
  statuses: [201],
  showsSecret: true,

  handle: async ({ input, account, workspaceId, token: creator, nowMs, commit }) => {
    const integration = await requireIntegration(workspaceId, input.integrationId);
    const { value, token, write } = grantToken('iak', integration.id, input, {
      token: creator,
      nowMs,
      createdBy: account.id,
    });
    return commit(created({ ...viewToken(token), value }), [
      write,
      await countToken('iak', integration.id),
      ...recordCreator(workspaceId, account, { kind: 'iak', ownerId: integration.id, token }),
      integrationMustExist(integration),
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
