import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { DEFAULT_PAGE_SIZE, pageQuery } from '#shared/api/platform/queryInputs.ts';
import { queryTags } from '#shared/api/platform/tagInputs.ts';
import { meta } from '#shared/api/views.ts';
import { text } from '#shared/core/text.ts';
import { dates, sorting } from '#shared/domain/botChat/botChatInputs.ts';
import { queryUsers } from '#shared/domain/botChat/queryUsers.ts';
import { UserView, viewUser } from '#shared/domain/messaging/botViews/userView.ts';

export const listUsers = botChatOperation({
  name: 'listUsers',
  summary:
    'Lists users by creation (the default) or update, newest first by default; with conversationId, its present and former participants by id.',
  scope: 'bot',
  method: 'GET',
  path: '/chat/users',
  table: 'reads',
  query: z.object({
    ...pageQuery,
    ...sorting,
    ...dates,
    rangeField: sorting.sortField,
    conversationId: z.optional(text(200)),
    tags: z.optional(queryTags()),
  }),
  output: z.object({ users: z.array(UserView), meta }),
  statuses: [200],

  handle: async call => {
    const { pageSize = DEFAULT_PAGE_SIZE, nextToken: _, ...filters } = call.input;
    const { records, next } = await queryUsers(call, filters, pageSize);
    return ok({
      users: records.map(record => viewUser(call, record)),
      meta: next ? { nextToken: call.nextToken(next) } : {},
    });
  },
});
