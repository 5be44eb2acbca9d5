import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { filesOperation } from '#shared/api/operations/platform.ts';
import { requireRemovableFile } from '#shared/domain/fileRecords/scope.ts';
import { removeFile } from '#shared/storage/dynamodb/files/files.ts';

export const deleteFile = filesOperation({
  name: 'deleteFile',
  summary: 'Deletes a file by its id or key. Its content and passages are removed shortly after.',
  scope: 'bot',
  method: 'DELETE',
  path: '/files/{id}',
  table: 'writes',
  output: z.object({}),
  statuses: [200],

  handle: async call => {
    const file = await requireRemovableFile(call, call.input.id);
    return call.commit(ok({}), await removeFile(call.bot, file, call.nowMs));
  },
});
