import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { meta } from '#shared/api/views.ts';
import { listPage, workspaceQuery } from '#shared/domain/admin/integrations/integrationLists.ts';
import { IntegrationListItem } from '#shared/domain/admin/integrations/integrationView.ts';
import { listIntegrations as readAll } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { findWorkspace } from '#shared/storage/dynamodb/workspace/workspaces.ts';

export const listIntegrations = adminOperation({
  name: 'listIntegrations',
  summary: 'Lists the integrations of the workspace, newest first by default.',
  method: 'GET',
  path: '/admin/integrations',
  scope: 'account',
  table: 'reads',
  partitions: { reads: ['workspaceLists'] },
  objects: { reads: ['assets'] },
  query: workspaceQuery,
  output: z.object({ integrations: z.array(IntegrationListItem), meta }),
  statuses: [200],

  // Reads and sorts all integrations. A workspace has few, so an index per sort order would cost more.
  handle: async call => {
    const [workspace, all] = await Promise.all([findWorkspace(call.workspaceId), readAll(call.workspaceId)]);
    const { page, meta } = await listPage(all, call);
    const ownerWorkspace = workspace && {
      id: workspace.id,
      handle: workspace.handle ?? null,
      name: workspace.name,
    };
    return ok({ integrations: page.map(({ view }) => ({ ...view, ownerWorkspace })), meta });
  },
});
