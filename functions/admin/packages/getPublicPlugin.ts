import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import type { PluginDefinition } from '#shared/domain/admin/packages/definitions.ts';
import { PluginView, viewPlugin } from '#shared/domain/admin/packages/packageView.ts';
import { requirePublicDefinitionByName } from '#shared/domain/admin/packages/requirePackage.ts';

export const getPublicPlugin = adminOperation({
  name: 'getPublicPlugin',
  summary: 'Gets the plugin of the hub with a name and a version, a range (semver) or `latest`.',
  method: 'GET',
  path: '/admin/hub/plugins/{name}/{version}',
  scope: 'account',
  table: 'reads',
  partitions: { reads: ['packages', 'hub'] },
  largeValues: 'reads',
  objects: { reads: ['assets'] },
  output: z.object({ plugin: PluginView }),
  statuses: [200],

  handle: async ({ input }) => {
    const { found, definition } = await requirePublicDefinitionByName<PluginDefinition>(
      'plugin',
      input.name,
      input.version,
    );
    return ok({ plugin: await viewPlugin(found, definition) });
  },
});
