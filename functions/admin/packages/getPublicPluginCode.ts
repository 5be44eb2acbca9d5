import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { readCode } from '#shared/domain/admin/packages/pluginCode.ts';
import { requirePublicPackage } from '#shared/domain/admin/packages/requirePackage.ts';

export const getPublicPluginCode = adminOperation({
  name: 'getPublicPluginCode',
  summary: 'Gets the code of a public or unlisted plugin for `node` or `browser`.',
  method: 'GET',
  path: '/admin/hub/plugins/{id}/code/{platform}',
  scope: 'account',
  table: 'reads',
  partitions: { reads: ['packages'] },
  objects: { reads: ['assets'] },
  output: z.object({ code: z.string() }),
  statuses: [200],

  handle: async ({ input }) => {
    const plugin = await requirePublicPackage('plugin', input.id);
    return ok({ code: await readCode(plugin, input.platform) });
  },
});
