import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import type { InterfaceDefinition } from '#shared/domain/admin/packages/definitions.ts';
import { InterfaceView, viewInterface } from '#shared/domain/admin/packages/packageView.ts';
import { requirePublicDefinition } from '#shared/domain/admin/packages/requirePackage.ts';

export const getPublicInterfaceById = adminOperation({
  name: 'getPublicInterfaceById',
  summary: 'Gets a public or unlisted interface.',
  method: 'GET',
  path: '/admin/hub/interfaces/{id}',
  scope: 'account',
  table: 'reads',
  partitions: { reads: ['packages'] },
  largeValues: 'reads',
  objects: { reads: ['assets'] },
  output: z.object({ interface: InterfaceView }),
  statuses: [200],

  handle: async ({ input }) => {
    const { found, definition } = await requirePublicDefinition<InterfaceDefinition>('interface', input.id);
    return ok({ interface: await viewInterface(found, definition) });
  },
});
