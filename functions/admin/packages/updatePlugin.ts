import * as z from 'zod/mini';
import { MEGABYTE, ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import type { PluginDefinition } from '#shared/domain/admin/packages/definitions.ts';
import { changedPlugin } from '#shared/domain/admin/packages/packageChanges.ts';
import { PluginChanges } from '#shared/domain/admin/packages/packageInputs.ts';
import { changedDependencies } from '#shared/domain/admin/packages/packageReferences.ts';
import { PluginView, viewPlugin } from '#shared/domain/admin/packages/packageView.ts';
import { requireOwnDefinition } from '#shared/domain/admin/packages/requirePackage.ts';
import { updatedPackage } from '#shared/domain/admin/packages/write.ts';

export const updatePlugin = adminOperation({
  name: 'updatePlugin',
  summary: 'Updates a plugin of the workspace. Maps change key by key, and null removes a key.',
  method: 'PUT',
  path: '/admin/plugins/{id}',
  scope: 'account',
  grants: 'access',
  table: 'writes',
  partitions: { reads: ['handles', 'integrationNames'], writes: ['packages', 'packageNames', 'hub'] },
  largeValues: 'writes',
  objects: { reads: ['assets'], stages: ['assets'] },
  payloadLimitBytes: 50 * MEGABYTE,
  body: PluginChanges,
  output: z.object({ plugin: PluginView }),
  statuses: [200],

  handle: async call => {
    const { input, workspaceId, commit } = call;
    const before = await requireOwnDefinition<PluginDefinition>('plugin', workspaceId, input.id);
    const dependencies = await changedDependencies(workspaceId, before.definition.dependencies, input.dependencies);
    const definition = changedPlugin(before.definition, input, dependencies);
    const { after, writes } = await updatedPackage(call, before, input, definition);
    return commit(ok({ plugin: await viewPlugin(after, definition) }), writes);
  },
});
