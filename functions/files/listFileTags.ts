import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { filesOperation } from '#shared/api/operations/platform.ts';
import { DEFAULT_PAGE_SIZE, pageQuery } from '#shared/api/platform/queryInputs.ts';
import { meta } from '#shared/api/views.ts';
import { listTags } from '#shared/domain/files/listTags.ts';
import { pageOfList } from '#shared/storage/dynamodb/lists/lists.ts';

export const listFileTags = filesOperation({
  name: 'listFileTags',
  summary: 'Lists the tag names of the files that the caller may see, sorted.',
  scope: 'bot',
  method: 'GET',
  path: '/files/tags',
  table: 'reads',
  query: z.object(pageQuery),
  output: z.object({ tags: z.array(z.string()), meta }),
  statuses: [200],

  handle: async call => {
    const { pageSize = DEFAULT_PAGE_SIZE } = call.input;
    const { records, next } = await pageOfList(listTags(call, call.pageStart), pageSize);
    return ok({ tags: records, meta: next ? { nextToken: call.nextToken(next) } : {} });
  },
});
