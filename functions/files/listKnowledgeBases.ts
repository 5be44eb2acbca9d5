import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { filesOperation } from '#shared/api/operations/platform.ts';
import { DEFAULT_PAGE_SIZE, pageQuery } from '#shared/api/platform/queryInputs.ts';
import { meta } from '#shared/api/views.ts';
import { removableScopes } from '#shared/domain/fileRecords/scope.ts';
import { queryTagFilters } from '#shared/domain/files/fileInputs.ts';
import { ListedKnowledgeBase, viewListedKnowledgeBase } from '#shared/domain/files/knowledgeBase.ts';
import { matchesTags } from '#shared/domain/files/tagFilters.ts';
import { listKnowledgeBases as list } from '#shared/storage/dynamodb/files/knowledgeBases.ts';
import { pageOfList } from '#shared/storage/dynamodb/lists/lists.ts';

export const listKnowledgeBases = filesOperation({
  name: 'listKnowledgeBases',
  summary:
    'Lists knowledge bases, newest first. The bot and its members also see those of uninstalled integrations. Filters by tags like `listFiles`.',
  scope: 'bot',
  method: 'GET',
  path: '/files/knowledge-bases',
  table: 'reads',
  query: z.object({ ...pageQuery, tags: z.optional(queryTagFilters()) }),
  output: z.object({ knowledgeBases: z.array(ListedKnowledgeBase), meta }),
  statuses: [200],

  handle: async call => {
    const { tags = {}, pageSize = DEFAULT_PAGE_SIZE } = call.input;
    const matching = (async function* () {
      for await (const { sortKey, record } of list(call.botId, removableScopes(call), call.pageStart)) {
        yield { sortKey, record: matchesTags(record, tags) ? record : undefined };
      }
    })();
    const { records, next } = await pageOfList(matching, pageSize);
    return ok({
      knowledgeBases: records.map(viewListedKnowledgeBase),
      meta: next ? { nextToken: call.nextToken(next) } : {},
    });
  },
});
