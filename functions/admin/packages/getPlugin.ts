import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import type { PluginDefinition } from '#shared/domain/admin/packages/definitions.ts';
import { PluginView, viewPlugin } from '#shared/domain/admin/packages/packageView.ts';
import { requireVisibleDefinition } from '#shared/domain/admin/packages/requirePackage.ts';

export const getPlugin = adminOperation({
  name: 'getPlugin',
  summary: 'Gets a plugin of the workspace, or a public or unlisted one of another.',
  method: 'GET',
  path: '/admin/plugins/{id}',
  scope: 'account',
  table: 'reads',
  partitions: { reads: ['packages'] },
  largeValues: 'reads',
  objects: { reads: ['assets'] },
  output: z.object({ plugin: PluginView }),
  statuses: [200],

  handle: async ({ input, workspaceId }) => {
    const { found, definition } = await requireVisibleDefinition<PluginDefinition>('plugin', workspaceId, input.id);
    return ok({ plugin: await viewPlugin(found, definition) });
  },
});
