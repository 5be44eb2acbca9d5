import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { notFound } from '#shared/core/errors.ts';
import { requireVersionRange } from '#shared/core/versions.ts';
import {
  HubIntegrationView,
  requirePublicIntegration,
  viewHubIntegration,
} from '#shared/domain/admin/integrations/hubViews.ts';
import { findPublicVersion } from '#shared/storage/dynamodb/integrations/integrationVersions.ts';

export const getPublicIntegration = adminOperation({
  name: 'getPublicIntegration',
  summary: 'Gets the integration of the hub with a name and a version, a range (semver) or `latest`.',
  method: 'GET',
  path: '/admin/hub/integrations/{name}/{version}',
  scope: 'account',
  table: 'reads',
  partitions: { reads: ['hub'] },
  largeValues: 'reads',
  objects: { reads: ['assets'] },
  output: z.object({ integration: HubIntegrationView }),
  statuses: [200],

  handle: async ({ input: { name, version } }) => {
    await requireVersionRange(version);
    const id = await findPublicVersion('integration', name, version);
    if (id === undefined) throw notFound(`The integration ${name} ${version} in the hub`);
    const { integration, definition } = await requirePublicIntegration(id);
    return ok({ integration: await viewHubIntegration(integration, definition) });
  },
});
