import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import type { InterfaceDefinition } from '#shared/domain/admin/packages/definitions.ts';
import { InterfaceView, viewInterface } from '#shared/domain/admin/packages/packageView.ts';
import { requireVisibleDefinition } from '#shared/domain/admin/packages/requirePackage.ts';

export const getInterface = adminOperation({
  name: 'getInterface',
  summary: 'Gets an interface of the workspace, or a public or unlisted one of another.',
  method: 'GET',
  path: '/admin/interfaces/{id}',
  scope: 'account',
  table: 'reads',
  partitions: { reads: ['packages'] },
  largeValues: 'reads',
  objects: { reads: ['assets'] },
  output: z.object({ interface: InterfaceView }),
  statuses: [200],

  handle: async ({ input, workspaceId }) => {
    const { found, definition } = await requireVisibleDefinition<InterfaceDefinition>(
      'interface',
      workspaceId,
      input.id,
    );
    return ok({ interface: await viewInterface(found, definition) });
  },
});
