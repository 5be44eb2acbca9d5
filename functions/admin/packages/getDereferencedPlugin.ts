import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import type { PluginDefinition } from '#shared/domain/admin/packages/definitions.ts';
import { dereferenced, dereferenceQuery } from '#shared/domain/admin/packages/dereference.ts';
import { PluginView, viewPlugin } from '#shared/domain/admin/packages/packageView.ts';
import { requireVisibleDefinition } from '#shared/domain/admin/packages/requirePackage.ts';

export const getDereferencedPlugin = adminOperation({
  name: 'getDereferencedPlugin',
  summary: 'Gets a plugin with the entities of the integrations that implement its interfaces.',
  method: 'GET',
  path: '/admin/plugins/{id}/dereferenced',
  scope: 'account',
  table: 'reads',
  partitions: { reads: ['packages'] },
  largeValues: 'reads',
  objects: { reads: ['assets'] },
  query: dereferenceQuery,
  output: z.object({ plugin: PluginView }),
  statuses: [200],

  handle: async ({ input, workspaceId }) => {
    const { found, definition } = await requireVisibleDefinition<PluginDefinition>('plugin', workspaceId, input.id);
    return ok({ plugin: await viewPlugin(found, await dereferenced(workspaceId, definition, input.interfaces)) });
  },
});
