import * as z from 'zod/mini';
import { requireOwn } from '#shared/api/auth/callerLimits.ts';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { requirePackage } from '#shared/domain/admin/packages/requirePackage.ts';
import { deletedPackage } from '#shared/domain/admin/packages/write.ts';

export const deleteInterface = adminOperation({
  name: 'deleteInterface',
  summary: 'Deletes an interface of the workspace. Existing dependents keep working.',
  method: 'DELETE',
  path: '/admin/interfaces/{id}',
  scope: 'account',
  grants: 'nothing',
  isIrreversible: true,
  table: 'writes',
  partitions: { writes: ['packages', 'packageNames', 'hub'] },
  output: z.object({}),
  statuses: [200],

  handle: async call => {
    const found = await requirePackage('interface', call.workspaceId, call.input.id);
    requireOwn(call, found.createdBy === call.account.id);
    return call.commit(ok({}), deletedPackage(call, found));
  },
});
