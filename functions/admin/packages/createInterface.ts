import * as z from 'zod/mini';
import { created, MEGABYTE } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { EMPTY_INTERFACE } from '#shared/domain/admin/packages/definitions.ts';
import { changedInterface } from '#shared/domain/admin/packages/packageChanges.ts';
import { NewInterface } from '#shared/domain/admin/packages/packageInputs.ts';
import { InterfaceView, viewInterface } from '#shared/domain/admin/packages/packageView.ts';
import { createdPackage } from '#shared/domain/admin/packages/write.ts';

export const createInterface = adminOperation({
  name: 'createInterface',
  summary: 'Creates a version of an interface. A public one is in the hub, and its name belongs to this workspace.',
  method: 'POST',
  path: '/admin/interfaces',
  scope: 'account',
  grants: 'access',
  table: 'writes',
  partitions: { reads: ['handles'], writes: ['packages', 'packageNames'], appends: ['hub'] },
  largeValues: 'writes',
  objects: { reads: ['assets'], stages: ['assets'] },
  payloadLimitBytes: 10 * MEGABYTE,
  body: NewInterface,
  output: z.object({ interface: InterfaceView }),
  statuses: [201],

  handle: async call => {
    const definition = changedInterface(EMPTY_INTERFACE, call.input);
    const { made, writes } = await createdPackage('interface', call, call.input, definition);
    return call.commit(created({ interface: await viewInterface(made, definition) }), writes);
  },
});
