import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { meta } from '#shared/api/views.ts';
import { listPublicPackages, packageQuery } from '#shared/domain/admin/packages/packageLists.ts';
import { InterfaceListItem, viewInterfaceListItem } from '#shared/domain/admin/packages/packageView.ts';

export const listPublicInterfaces = adminOperation({
  name: 'listPublicInterfaces',
  summary: 'Lists the interfaces that are public in this installation, by name.',
  method: 'GET',
  path: '/admin/hub/interfaces',
  scope: 'account',
  table: 'reads',
  partitions: { reads: ['packages', 'hub'] },
  objects: { reads: ['assets'] },
  query: packageQuery,
  output: z.object({ interfaces: z.array(InterfaceListItem), meta }),
  statuses: [200],

  handle: async call => {
    const { packages, meta } = await listPublicPackages('interface', call);
    return ok({ interfaces: await Promise.all(packages.map(viewInterfaceListItem)), meta });
  },
});
