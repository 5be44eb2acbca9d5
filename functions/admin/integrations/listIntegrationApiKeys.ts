import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { requireIntegration } from '#shared/domain/admin/integrations/requireIntegration.ts';
import { TokenView, viewToken } from '#shared/domain/admin/keys.ts';
import { listTokens } from '#shared/storage/dynamodb/workspace/tokens.ts';

export const listIntegrationApiKeys = adminOperation({
  name: 'listIntegrationApiKeys',
  summary: 'Lists the API keys of an integration, without their values.',
  method: 'GET',
  path: '/admin/integrations/iaks',
  scope: 'account',
  table: 'reads',
  query: z.object({ integrationId: z.string() }),
  output: z.object({ iaks: z.array(TokenView) }),
  statuses: [200],

  handle: async ({ input, workspaceId }) => {
    const integration = await requireIntegration(workspaceId, input.integrationId);
    return ok({ iaks: (await listTokens('iak', integration.id)).map(viewToken) });
  },
});
