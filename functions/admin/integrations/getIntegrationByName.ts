import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { notFound } from '#shared/core/errors.ts';
import { requireVersionRange } from '#shared/core/versions.ts';
import {
  IntegrationView,
  viewIntegration,
  withoutEndpoint,
} from '#shared/domain/admin/integrations/integrationView.ts';
import { requireVisibleIntegration } from '#shared/domain/admin/integrations/requireIntegration.ts';
import { seesConfigurations } from '#shared/domain/admin/seesConfigurations.ts';
import { findOwnVersion } from '#shared/storage/dynamodb/integrations/integrationVersions.ts';

export const getIntegrationByName = adminOperation({
  name: 'getIntegrationByName',
  summary: 'Gets the integration of the workspace with a name and a version, a range (semver) or `latest`.',
  method: 'GET',
  path: '/admin/integrations/{name}/{version}',
  scope: 'account',
  table: 'reads',
  partitions: { reads: ['integrationNames'] },
  largeValues: 'reads',
  objects: { reads: ['assets'] },
  output: z.object({ integration: IntegrationView }),
  statuses: [200],

  handle: async ({ input: { name, version }, workspaceId, role }) => {
    await requireVersionRange(version);
    const id = await findOwnVersion(workspaceId, 'integration', name, version);
    if (!id) throw notFound(`The integration ${name} ${version}`);
    const { integration, definition } = await requireVisibleIntegration(workspaceId, id);
    const view = await viewIntegration(integration, definition);
    return ok({ integration: seesConfigurations(role) ? view : withoutEndpoint(view) });
  },
});
