import * as z from 'zod/mini';
import { IntegrationView, requireVisibleIntegration, viewIntegration } from '#shared/admin/integrations.ts';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/platform/operation.ts';

export const getIntegration = adminOperation({
  name: 'getIntegration',
  summary: 'An integration of the workspace, or one that another has published.',
  method: 'GET',
  path: '/admin/integrations/{id}',
  scope: 'account',
  table: 'reads',
  largeValues: 'reads',
  objects: 'readsAssets',
  output: z.object({ integration: IntegrationView }),
  statuses: [200],

  handle: async ({ input, workspaceId }) => {
    const { integration, definition } = await requireVisibleIntegration(workspaceId, input.id);
    return ok({ integration: await viewIntegration(integration, definition) });
  },
});
