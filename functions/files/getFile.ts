import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { filesOperation } from '#shared/api/operations/platform.ts';
import { finalizeBeforeRead } from '#shared/domain/fileRecords/awaitUpload.ts';
import { requireFile } from '#shared/domain/fileRecords/scope.ts';
import { FileView, viewFile } from '#shared/domain/files/fileView.ts';

export const getFile = filesOperation({
  name: 'getFile',
  summary:
    'Returns a file by its id or key. Its URL works for an hour, or permanently with the policy `public_content`.',
  scope: 'bot',
  method: 'GET',
  path: '/files/{id}',
  table: 'writes',
  objects: { reads: ['files', 'uploads'], writes: ['files'] },
  acceptsUploads: true,
  output: z.object({ file: FileView }),
  statuses: [200],

  handle: async call => {
    const { botId, bot, input, nowMs } = call;
    const [file] = await finalizeBeforeRead(bot, [await requireFile(call, input.id)], nowMs);
    return ok({ file: await viewFile(botId, file!) });
  },
});
