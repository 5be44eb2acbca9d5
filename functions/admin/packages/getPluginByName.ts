import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import type { PluginDefinition } from '#shared/domain/admin/packages/definitions.ts';
import { PluginView, viewPlugin } from '#shared/domain/admin/packages/packageView.ts';
import { requireDefinitionByName } from '#shared/domain/admin/packages/requirePackage.ts';

export const getPluginByName = adminOperation({
  name: 'getPluginByName',
  summary:
    'Gets the plugin of the workspace, or else of the hub, with a name and a version, a range (semver) or `latest`.',
  method: 'GET',
  path: '/admin/plugins/{name}/{version}',
  scope: 'account',
  table: 'reads',
  partitions: { reads: ['packages', 'packageNames', 'hub'] },
  largeValues: 'reads',
  objects: { reads: ['assets'] },
  output: z.object({ plugin: PluginView }),
  statuses: [200],

  handle: async ({ input, workspaceId }) => {
    const { found, definition } = await requireDefinitionByName<PluginDefinition>(
      'plugin',
      workspaceId,
      input.name,
      input.version,
    );
    return ok({ plugin: await viewPlugin(found, definition) });
  },
});
