import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { filesOperation } from '#shared/api/operations/platform.ts';
import { DEFAULT_PAGE_SIZE, oneOrMore, pageQuery, queryBoolean } from '#shared/api/platform/queryInputs.ts';
import { meta } from '#shared/api/views.ts';
import { text } from '#shared/core/text.ts';
import { finalizeBeforeRead } from '#shared/domain/fileRecords/awaitUpload.ts';
import { queryTagFilters } from '#shared/domain/files/fileInputs.ts';
import { FileView, viewFile } from '#shared/domain/files/fileView.ts';
import { listFiles as list } from '#shared/domain/files/listFiles.ts';

export const listFiles = filesOperation({
  name: 'listFiles',
  summary:
    'Lists the files that the caller may see, by default newest first. A tag filter is one value, several alternatives, or `{not: …}` with excluded values.',
  scope: 'bot',
  method: 'GET',
  path: '/files',
  table: 'writes',
  objects: { reads: ['files', 'uploads'], writes: ['files'] },
  acceptsUploads: true,
  query: z.object({
    ...pageQuery,
    sortField: z.optional(z.enum(['key', 'size', 'createdAt', 'updatedAt', 'status'])),
    sortDirection: z.optional(z.enum(['asc', 'desc'])),
    /** Extends the contract. */
    keyPrefix: z.optional(text(200)),
    tags: z.optional(queryTagFilters()),
    ids: z.optional(oneOrMore(text(200)).check(z.maxLength(50))),
    indexed: z.optional(queryBoolean()),
  }),
  output: z.object({ files: z.array(FileView), meta }),
  statuses: [200],

  handle: async call => {
    const { pageSize = DEFAULT_PAGE_SIZE, nextToken: _, ...filters } = call.input;
    const { records, next } = await list(call, filters, pageSize);
    const files = await finalizeBeforeRead(call.bot, records, call.nowMs);
    return ok({
      files: await Promise.all(files.map(file => viewFile(call.botId, file))),
      meta: next ? { nextToken: call.nextToken(next) } : {},
    });
  },
});
