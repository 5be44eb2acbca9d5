import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { meta } from '#shared/api/views.ts';
import { listPublicPackages, packageQuery } from '#shared/domain/admin/packages/packageLists.ts';
import { PluginListItem, viewPluginListItem } from '#shared/domain/admin/packages/packageView.ts';

export const listPublicPlugins = adminOperation({
  name: 'listPublicPlugins',
  summary: 'Lists the plugins that are public in this installation, by name.',
  method: 'GET',
  path: '/admin/hub/plugins',
  scope: 'account',
  table: 'reads',
  partitions: { reads: ['packages', 'hub'] },
  objects: { reads: ['assets'] },
  query: packageQuery,
  output: z.object({ plugins: z.array(PluginListItem), meta }),
  statuses: [200],

  handle: async call => {
    const { packages, meta } = await listPublicPackages('plugin', call);
    return ok({ plugins: await Promise.all(packages.map(viewPluginListItem)), meta });
  },
});
