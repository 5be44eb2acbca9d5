import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { ExportView, requireExport, viewExport } from '#shared/domain/admin/exportView.ts';
import { archiveObject } from '#shared/storage/s3/prefixes.ts';

/** Each call returns a new URL, so that a short lifetime suffices. */
const URL_SECONDS = 900;

export const getWorkspaceExport = adminOperation({
  name: 'getWorkspaceExport',
  summary: 'Gets the progress of an export and, when complete, a URL of the archive that is valid for 15 minutes.',
  method: 'GET',
  path: '/admin/workspaces/{id}/exports/{exportId}',
  scope: 'account',
  workspaceIn: 'id',
  table: 'reads',
  partitions: { reads: ['transfers'] },
  objects: { reads: ['exports'] },
  output: z.object({ export: ExportView }),
  statuses: [200],

  handle: async ({ workspaceId, input }) => {
    const found = await requireExport(workspaceId, input.exportId);
    if (found.status !== 'completed') return ok({ export: viewExport(found) });
    const { presignObject } = await import('#shared/storage/s3/presign.ts');
    const form = { contentType: 'application/gzip', name: `${workspaceId}-${found.id}.tar.gz` };
    const url = await presignObject(archiveObject(workspaceId, found.id), form, URL_SECONDS);
    return ok({ export: { ...viewExport(found), url } });
  },
});
