import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { filesOperation } from '#shared/api/platform/operation.ts';
import { DEFAULT_PAGE_SIZE, oneOrMore, pageQuery, queryBoolean } from '#shared/api/platform/queryInputs.ts';
import { meta } from '#shared/api/views.ts';
import { queryTagFilters } from '#shared/files/inputs.ts';
import { listFiles as list } from '#shared/files/listFiles.ts';
import { FileView, viewFile } from '#shared/files/view.ts';
import { text } from '#shared/text.ts';

export const listFiles = filesOperation({
  name: 'listFiles',
  summary:
    'The files that the caller may see, newest first unless sortField and sortDirection say otherwise. A tag may be one value or several of which one must be there, or `{not: …}` with those that must not.',
  scope: 'bot',
  method: 'GET',
  path: '/files',
  table: 'reads',
  objects: 'readsFiles',
  query: z.object({
    ...pageQuery,
    sortField: z.optional(z.enum(['key', 'size', 'createdAt', 'updatedAt', 'status'])),
    sortDirection: z.optional(z.enum(['asc', 'desc'])),
    tags: z.optional(queryTagFilters()),
    ids: z.optional(oneOrMore(text(200)).check(z.maxLength(50))),
    indexed: z.optional(queryBoolean()),
  }),
  output: z.object({ files: z.array(FileView), meta }),
  statuses: [200],

  handle: async call => {
    const { pageSize = DEFAULT_PAGE_SIZE, nextToken: _, ...filters } = call.input;
    const { records, next } = await list(call, filters, pageSize);
    return ok({
      files: await Promise.all(records.map(file => viewFile(call.botId, file))),
      meta: next ? { nextToken: call.nextToken(next) } : {},
    });
  },
});
