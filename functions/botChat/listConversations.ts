import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { DEFAULT_PAGE_SIZE, oneOrMore, pageQuery } from '#shared/api/platform/queryInputs.ts';
import { queryTags } from '#shared/api/platform/tagInputs.ts';
import { meta } from '#shared/api/views.ts';
import { text } from '#shared/core/text.ts';
import { channel, dates, integrationName, queryNumber, sorting } from '#shared/domain/botChat/botChatInputs.ts';
import { queryConversations } from '#shared/domain/botChat/queryConversations.ts';
import { ConversationView, viewConversation } from '#shared/domain/messaging/botViews/conversationView.ts';

export const listConversations = botChatOperation({
  name: 'listConversations',
  summary:
    'Lists conversations by creation (the default) or update, newest first by default. afterDate and beforeDate apply to the sort field and are inclusive.',
  scope: 'bot',
  method: 'GET',
  path: '/chat/conversations',
  table: 'reads',
  query: z.object({
    ...pageQuery,
    ...sorting,
    ...dates,
    tags: z.optional(queryTags()),
    participantIds: z.optional(oneOrMore(text(200))),
    integrationName: z.optional(integrationName()),
    channel: z.optional(channel()),
    minMessageCount: z.optional(queryNumber()),
    maxMessageCount: z.optional(queryNumber()),
  }),
  output: z.object({ conversations: z.array(ConversationView), meta }),
  statuses: [200],

  handle: async call => {
    const { pageSize = DEFAULT_PAGE_SIZE, nextToken: _, ...filters } = call.input;
    const { records, next } = await queryConversations(call, filters, pageSize);
    return ok({
      conversations: records.map(record => viewConversation(call, record)),
      meta: next ? { nextToken: call.nextToken(next) } : {},
    });
  },
});
