import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { filesOperation } from '#shared/api/operations/platform.ts';
import { DEFAULT_PAGE_SIZE, pageQuery, wholeNumber } from '#shared/api/platform/queryInputs.ts';
import { meta } from '#shared/api/views.ts';
import { PASSAGE_TYPES } from '#shared/core/passage.ts';
import { requireFile } from '#shared/domain/fileRecords/scope.ts';
import { listPassages, passageName } from '#shared/storage/dynamodb/files/passages.ts';
import { pageOfList } from '#shared/storage/dynamodb/lists/lists.ts';

const MAX_PASSAGES = 200;

export const listFilePassages = filesOperation({
  name: 'listFilePassages',
  summary: 'Lists the passages by which search finds a file, in order: 20 per page, or `pageSize` (up to 200).',
  scope: 'bot',
  method: 'GET',
  path: '/files/{id}/passages',
  table: 'reads',
  query: z.object({
    ...pageQuery,
    pageSize: z.optional(wholeNumber(1, MAX_PASSAGES)),
    limit: z.optional(wholeNumber(1, MAX_PASSAGES)),
  }),
  output: z.object({
    passages: z.array(
      z.object({
        id: z.string(),
        content: z.string(),
        meta: z.object({
          type: z.literal('chunk'),
          subtype: z.enum(PASSAGE_TYPES),
          position: z.number(),
          pageNumber: z.optional(z.number()),
        }),
      }),
    ),
    meta,
  }),
  statuses: [200],

  handle: async call => {
    const { botId, input, pageStart, nextToken } = call;
    const { id: fileId, indexed } = await requireFile(call, input.id);
    if (!indexed) return ok({ passages: [], meta: {} });
    const list = listPassages(botId, fileId, indexed.id, { direction: 'asc', after: pageStart });
    const pageSize = input.pageSize ?? input.limit ?? DEFAULT_PAGE_SIZE;
    const { records, next } = await pageOfList(list, pageSize, ({ content }) => content.length);
    return ok({
      passages: records.map(({ number, content, type, pageNumber }) => ({
        id: passageName({ fileId, indexingId: indexed.id, number }),
        content,
        meta: {
          type: 'chunk' as const,
          subtype: type,
          position: number,
          ...(pageNumber === undefined ? {} : { pageNumber }),
        },
      })),
      meta: next ? { nextToken: nextToken(next) } : {},
    });
  },
});
