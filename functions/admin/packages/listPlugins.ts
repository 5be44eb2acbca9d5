import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { meta } from '#shared/api/views.ts';
import { listOwnPackages, packageQuery } from '#shared/domain/admin/packages/packageLists.ts';
import { PluginListItem, viewPluginListItem } from '#shared/domain/admin/packages/packageView.ts';

export const listPlugins = adminOperation({
  name: 'listPlugins',
  summary: 'Lists the plugins of the workspace, newest first.',
  method: 'GET',
  path: '/admin/plugins',
  scope: 'account',
  table: 'reads',
  partitions: { reads: ['packages', 'workspaceLists'] },
  objects: { reads: ['assets'] },
  query: packageQuery,
  output: z.object({ plugins: z.array(PluginListItem), meta }),
  statuses: [200],

  handle: async call => {
    const { packages, meta } = await listOwnPackages('plugin', call.workspaceId, call);
    return ok({ plugins: await Promise.all(packages.map(viewPluginListItem)), meta });
  },
});
