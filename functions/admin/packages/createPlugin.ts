import * as z from 'zod/mini';
import { created, MEGABYTE } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { EMPTY_PLUGIN } from '#shared/domain/admin/packages/definitions.ts';
import { changedPlugin } from '#shared/domain/admin/packages/packageChanges.ts';
import { NewPlugin } from '#shared/domain/admin/packages/packageInputs.ts';
import { changedDependencies } from '#shared/domain/admin/packages/packageReferences.ts';
import { PluginView, viewPlugin } from '#shared/domain/admin/packages/packageView.ts';
import { createdPackage } from '#shared/domain/admin/packages/write.ts';

export const createPlugin = adminOperation({
  name: 'createPlugin',
  summary:
    'Creates a version of a plugin. Its dependencies are named by id, or by name and version, and must exist. A public one is in the hub.',
  method: 'POST',
  path: '/admin/plugins',
  scope: 'account',
  grants: 'access',
  table: 'writes',
  partitions: { reads: ['handles', 'integrationNames'], writes: ['packages', 'packageNames', 'hub'] },
  largeValues: 'writes',
  objects: { reads: ['assets'], stages: ['assets'] },
  payloadLimitBytes: 50 * MEGABYTE,
  body: NewPlugin,
  output: z.object({ plugin: PluginView }),
  statuses: [201],

  handle: async call => {
    const { input, workspaceId } = call;
    const dependencies = await changedDependencies(workspaceId, EMPTY_PLUGIN.dependencies, input.dependencies);
    const definition = changedPlugin(EMPTY_PLUGIN, input, dependencies);
    const { made, writes } = await createdPackage('plugin', call, input, definition);
    return call.commit(created({ plugin: await viewPlugin(made, definition) }), writes);
  },
});
