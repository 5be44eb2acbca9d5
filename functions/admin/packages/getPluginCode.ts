import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { readCode } from '#shared/domain/admin/packages/pluginCode.ts';
import { requireVisiblePackage } from '#shared/domain/admin/packages/requirePackage.ts';

export const getPluginCode = adminOperation({
  name: 'getPluginCode',
  summary: 'Gets the code of a plugin for `node` or `browser`.',
  method: 'GET',
  path: '/admin/plugins/{id}/code/{platform}',
  scope: 'account',
  table: 'reads',
  partitions: { reads: ['packages'] },
  objects: { reads: ['assets'] },
  output: z.object({ code: z.string() }),
  statuses: [200],

  handle: async ({ input, workspaceId }) => {
    const plugin = await requireVisiblePackage('plugin', workspaceId, input.id);
    return ok({ code: await readCode(plugin, input.platform) });
  },
});
