import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import {
  HubIntegrationView,
  requirePublicIntegration,
  viewHubIntegration,
} from '#shared/domain/admin/integrations/hubViews.ts';

export const getPublicIntegrationById = adminOperation({
  name: 'getPublicIntegrationById',
  summary: 'Gets a public or unlisted integration.',
  method: 'GET',
  path: '/admin/hub/integrations/{id}',
  scope: 'account',
  table: 'reads',
  largeValues: 'reads',
  objects: { reads: ['assets'] },
  output: z.object({ integration: HubIntegrationView }),
  statuses: [200],

  handle: async ({ input }) => {
    const { integration, definition } = await requirePublicIntegration(input.id);
    return ok({ integration: await viewHubIntegration(integration, definition) });
  },
});
