import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { meta } from '#shared/api/views.ts';
import { HubIntegrationListItem, showInHub } from '#shared/domain/admin/integrations/hubViews.ts';
import { hubQuery, listPage } from '#shared/domain/admin/integrations/integrationLists.ts';
import { listPublished } from '#shared/storage/dynamodb/integrations/hub.ts';
import { findIntegrations } from '#shared/storage/dynamodb/integrations/integrations.ts';

export const listPublicIntegrations = adminOperation({
  name: 'listPublicIntegrations',
  summary: 'Lists the integrations that are public in this installation, newest first by default.',
  method: 'GET',
  path: '/admin/hub/integrations',
  scope: 'account',
  table: 'reads',
  partitions: { reads: ['hub'] },
  objects: { reads: ['assets'] },
  query: hubQuery,
  output: z.object({ integrations: z.array(HubIntegrationListItem), meta }),
  statuses: [200],

  // Reads all public integrations: a deployment has at most a few hundred.
  handle: async call => {
    const { name, version } = call.input;
    const entries = await listPublished('integration', { name, version });
    const found = await findIntegrations(entries.map(({ id }) => id));
    const { page, meta } = await listPage([...found.values()], call);
    return ok({ integrations: await showInHub(page), meta });
  },
});
