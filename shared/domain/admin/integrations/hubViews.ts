import * as z from 'zod/mini';
import { notFound } from '#shared/core/errors.ts';
import type { IntegrationDefinition } from '#shared/storage/dynamodb/definitions/integrationDefinition.ts';
import { findIntegrationWithDefinition, type Integration } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { findWorkspace, findWorkspaces, type Workspace } from '#shared/storage/dynamodb/workspace/workspaces.ts';
import { IntegrationListItem, IntegrationView, viewIntegration, withoutEndpoint } from './integrationView.ts';

const hubFields = {
  ownerWorkspace: z.object({ id: z.string(), handle: z.nullable(z.string()), name: z.string() }),
  meta: z.object({ installs: z.number(), views: z.number() }),
};

export const HubIntegrationListItem = z.object({ ...IntegrationListItem.shape, ...hubFields });
export const HubIntegrationView = z.object({ ...IntegrationView.shape, ...hubFields });

const viewHubFields = ({ installCount, workspaceId }: Integration, workspace: Workspace | undefined) => ({
  ownerWorkspace: { id: workspaceId, handle: workspace?.handle ?? null, name: workspace?.name ?? '' },
  meta: { installs: installCount, views: 0 },
});

export async function showInHub<View>(
  page: readonly { integration: Integration; view: View }[],
): Promise<(View & ReturnType<typeof viewHubFields>)[]> {
  const ids = [...new Set(page.map(({ integration }) => integration.workspaceId))];
  const workspaces = new Map((await findWorkspaces(ids)).map(each => [each.id, each]));
  return page.map(({ integration, view }) => ({
    ...view,
    ...viewHubFields(integration, workspaces.get(integration.workspaceId)),
  }));
}

export async function requirePublicIntegration(integrationId: string) {
  const found = await findIntegrationWithDefinition(integrationId);
  if (!found || found.integration.visibility === 'private') {
    throw notFound(`The integration ${integrationId} in the hub`);
  }
  return found;
}

export const viewHubIntegration = async (integration: Integration, definition: IntegrationDefinition) => ({
  ...withoutEndpoint(await viewIntegration(integration, definition)),
  ...viewHubFields(integration, await findWorkspace(integration.workspaceId)),
});
