import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { meta } from '#shared/api/views.ts';
import { listOwnPackages, packageQuery } from '#shared/domain/admin/packages/packageLists.ts';
import { InterfaceListItem, viewInterfaceListItem } from '#shared/domain/admin/packages/packageView.ts';

export const listInterfaces = adminOperation({
  name: 'listInterfaces',
  summary: 'Lists the interfaces of the workspace, newest first.',
  method: 'GET',
  path: '/admin/interfaces',
  scope: 'account',
  table: 'reads',
  partitions: { reads: ['packages', 'workspaceLists'] },
  objects: { reads: ['assets'] },
  query: packageQuery,
  output: z.object({ interfaces: z.array(InterfaceListItem), meta }),
  statuses: [200],

  handle: async call => {
    const { packages, meta } = await listOwnPackages('interface', call.workspaceId, call);
    return ok({ interfaces: await Promise.all(packages.map(viewInterfaceListItem)), meta });
  },
});
