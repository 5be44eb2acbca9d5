import { notFound } from '#shared/core/errors.ts';
import { readTogether } from '#shared/storage/dynamodb/engine/readTogether.ts';
import {
  findIntegration,
  findIntegrationWithDefinition,
  type Integration,
  isVisibleTo,
} from '#shared/storage/dynamodb/integrations/integrations.ts';

export async function requireIntegration(workspaceId: string, integrationId: string): Promise<Integration> {
  const integration = await findIntegration(integrationId);
  if (integration?.workspaceId !== workspaceId) throw notFound(`The integration ${integrationId}`);
  return integration;
}

export async function requireIntegrationWithDefinition(workspaceId: string, integrationId: string) {
  const found = await findIntegrationWithDefinition(integrationId, readTogether);
  if (found?.integration.workspaceId !== workspaceId) throw notFound(`The integration ${integrationId}`);
  return found;
}

export async function requireVisibleIntegration(workspaceId: string, integrationId: string) {
  const found = await findIntegrationWithDefinition(integrationId);
  if (!found || !isVisibleTo(found.integration, workspaceId)) throw notFound(`The integration ${integrationId}`);
  return found;
}
