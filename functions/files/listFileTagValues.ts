import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { filesOperation } from '#shared/api/operations/platform.ts';
import { DEFAULT_PAGE_SIZE, pageQuery } from '#shared/api/platform/queryInputs.ts';
import { isFileTagName } from '#shared/api/platform/tagInputs.ts';
import { meta } from '#shared/api/views.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import { listValuesOfTag } from '#shared/domain/files/listTags.ts';
import { pageOfList } from '#shared/storage/dynamodb/lists/lists.ts';

export const listFileTagValues = filesOperation({
  name: 'listFileTagValues',
  summary: 'Lists the values of a tag among the files that the caller may see, sorted.',
  scope: 'bot',
  method: 'GET',
  path: '/files/tags/{tag}/values',
  table: 'reads',
  query: z.object(pageQuery),
  output: z.object({ values: z.array(z.string()), meta }),
  statuses: [200],

  handle: async call => {
    const { pageSize = DEFAULT_PAGE_SIZE, tag } = call.input;
    if (!isFileTagName(tag)) throw invalidPayload('Must be a valid tag name.', 'tag');
    const { records, next } = await pageOfList(listValuesOfTag(call, tag, call.pageStart), pageSize);
    return ok({ values: records, meta: next ? { nextToken: call.nextToken(next) } : {} });
  },
});
