import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import type { PluginDefinition } from '#shared/domain/admin/packages/definitions.ts';
import { PluginView, viewPlugin } from '#shared/domain/admin/packages/packageView.ts';
import { requirePublicDefinition } from '#shared/domain/admin/packages/requirePackage.ts';

export const getPublicPluginById = adminOperation({
  name: 'getPublicPluginById',
  summary: 'Gets a public or unlisted plugin.',
  method: 'GET',
  path: '/admin/hub/plugins/{id}',
  scope: 'account',
  table: 'reads',
  partitions: { reads: ['packages'] },
  largeValues: 'reads',
  objects: { reads: ['assets'] },
  output: z.object({ plugin: PluginView }),
  statuses: [200],

  handle: async ({ input }) => {
    const { found, definition } = await requirePublicDefinition<PluginDefinition>('plugin', input.id);
    return ok({ plugin: await viewPlugin(found, definition) });
  },
});
