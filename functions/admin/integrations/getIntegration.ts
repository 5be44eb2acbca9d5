import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import {
  IntegrationView,
  viewIntegration,
  withoutEndpoint,
} from '#shared/domain/admin/integrations/integrationView.ts';
import { requireVisibleIntegration } from '#shared/domain/admin/integrations/requireIntegration.ts';
import { seesConfigurations } from '#shared/domain/admin/seesConfigurations.ts';

export const getIntegration = adminOperation({
  name: 'getIntegration',
  summary: 'Gets an integration of the workspace, or a public or unlisted one of another.',
  method: 'GET',
  path: '/admin/integrations/{id}',
  scope: 'account',
  table: 'reads',
  largeValues: 'reads',
  objects: { reads: ['assets'] },
  output: z.object({ integration: IntegrationView }),
  statuses: [200],

  handle: async ({ input, workspaceId, role }) => {
    const { integration, definition } = await requireVisibleIntegration(workspaceId, input.id);
    const view = await viewIntegration(integration, definition);
    const showsEndpoint = integration.workspaceId === workspaceId && seesConfigurations(role);
    return ok({ integration: showsEndpoint ? view : withoutEndpoint(view) });
  },
});
