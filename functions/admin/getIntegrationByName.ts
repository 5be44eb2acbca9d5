import * as z from 'zod/mini';
import { requireVisibleIntegration } from '#shared/admin/integrations/requireIntegration.ts';
import { IntegrationView, viewIntegration } from '#shared/admin/integrations/view.ts';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/platform/operation.ts';
import { findIntegrationId } from '#shared/dynamodb/workspace/integrations.ts';
import { notFound } from '#shared/errors.ts';

export const getIntegrationByName = adminOperation({
  name: 'getIntegrationByName',
  summary: 'Gets the integration of the workspace with a name and version.',
  method: 'GET',
  path: '/admin/integrations/{name}/{version}',
  scope: 'account',
  table: 'reads',
  largeValues: 'reads',
  objects: 'readsAssets',
  output: z.object({ integration: IntegrationView }),
  statuses: [200],

  handle: async ({ input: { name, version }, workspaceId }) => {
    const id = await findIntegrationId(workspaceId, name, version);
    if (!id) throw notFound(`The integration ${name} ${version}`);
    const { integration, definition } = await requireVisibleIntegration(workspaceId, id);
    return ok({ integration: await viewIntegration(integration, definition) });
  },
});
