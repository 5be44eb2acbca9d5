import * as z from 'zod/mini';
import { requireOwnFile } from '../../shared/files/scope.ts';
import { ok } from '../../shared/operation.ts';
import { filesOperation } from '../../shared/platform/operation.ts';
import { removeFile } from '../../shared/table/files.ts';

export const deleteFile = filesOperation({
  name: 'deleteFile',
  summary: 'Deletes a file, by its id or key. Its content and passages are removed by a reaction to this.',
  scope: 'bot',
  method: 'DELETE',
  path: '/files/{id}',
  table: 'writes',
  output: z.object({}),
  statuses: [200],

  handle: async call => {
    const file = await requireOwnFile(call, call.input.id);
    return call.commit(ok({}), await removeFile(call.bot, file, call.nowMs));
  },
});
