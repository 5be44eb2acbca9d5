import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import type { InterfaceDefinition } from '#shared/domain/admin/packages/definitions.ts';
import { InterfaceView, viewInterface } from '#shared/domain/admin/packages/packageView.ts';
import { requirePublicDefinitionByName } from '#shared/domain/admin/packages/requirePackage.ts';

export const getPublicInterface = adminOperation({
  name: 'getPublicInterface',
  summary: 'Gets the interface of the hub with a name and a version, a range (semver) or `latest`.',
  method: 'GET',
  path: '/admin/hub/interfaces/{name}/{version}',
  scope: 'account',
  table: 'reads',
  partitions: { reads: ['packages', 'hub'] },
  largeValues: 'reads',
  objects: { reads: ['assets'] },
  output: z.object({ interface: InterfaceView }),
  statuses: [200],

  handle: async ({ input }) => {
    const { found, definition } = await requirePublicDefinitionByName<InterfaceDefinition>(
      'interface',
      input.name,
      input.version,
    );
    return ok({ interface: await viewInterface(found, definition) });
  },
});
