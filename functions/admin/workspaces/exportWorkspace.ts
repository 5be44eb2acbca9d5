import * as z from 'zod/mini';
import { created } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { ExportView, requireRoomForExport, viewExport } from '#shared/domain/admin/exportView.ts';
import { newExport, putNewExport } from '#shared/storage/dynamodb/tenants/exports.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';
import { workspaceMustExist } from '#shared/storage/dynamodb/workspace/workspaces.ts';

export const exportWorkspace = adminOperation({
  name: 'exportWorkspace',
  summary:
    'Begins an export of the workspace without secrets and keys: one at a time, five per day. `getWorkspaceExport` returns its progress and the archive.',
  method: 'POST',
  path: '/admin/workspaces/{id}/exports',
  scope: 'account',
  grants: 'access',
  workspaceIn: 'id',
  table: 'writes',
  partitions: { writes: ['transfers'] },
  output: z.object({ export: ExportView }),
  statuses: [201],

  // `runTransfer` creates the archive.
  handle: async ({ workspaceId, account, nowMs, commit }) => {
    await requireRoomForExport(workspaceId, nowMs);
    const begun = newExport(workspaceId, account.id, nowMs);
    const entry = { action: 'DOWNLOAD_BOT_ARCHIVE', resourceId: workspaceId, value: `export ${begun.id}` } as const;
    return commit(created({ export: viewExport(begun) }), [
      ...putNewExport(begun),
      workspaceMustExist(workspaceId),
      putAudit(workspaceId, auditActor(account), entry, nowMs),
    ]);
  },
});
