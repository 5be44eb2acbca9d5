import * as z from 'zod/mini';
import { MEGABYTE, ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import type { InterfaceDefinition } from '#shared/domain/admin/packages/definitions.ts';
import { changedInterface } from '#shared/domain/admin/packages/packageChanges.ts';
import { InterfaceChanges } from '#shared/domain/admin/packages/packageInputs.ts';
import { InterfaceView, viewInterface } from '#shared/domain/admin/packages/packageView.ts';
import { requireOwnDefinition } from '#shared/domain/admin/packages/requirePackage.ts';
import { updatedPackage } from '#shared/domain/admin/packages/write.ts';

export const updateInterface = adminOperation({
  name: 'updateInterface',
  summary: 'Updates an interface of the workspace. Maps change key by key, and null removes a key.',
  method: 'PUT',
  path: '/admin/interfaces/{id}',
  scope: 'account',
  grants: 'access',
  table: 'writes',
  partitions: { reads: ['handles'], writes: ['packages', 'hub'] },
  largeValues: 'writes',
  objects: { reads: ['assets'], stages: ['assets'] },
  payloadLimitBytes: 10 * MEGABYTE,
  body: InterfaceChanges,
  output: z.object({ interface: InterfaceView }),
  statuses: [200],

  handle: async call => {
    const { input, workspaceId, commit } = call;
    const before = await requireOwnDefinition<InterfaceDefinition>('interface', workspaceId, input.id);
    const definition = changedInterface(before.definition, input);
    const { after, writes } = await updatedPackage(call, before, input, definition);
    return commit(ok({ interface: await viewInterface(after, definition) }), writes);
  },
});
