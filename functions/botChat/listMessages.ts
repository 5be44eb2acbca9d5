import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { DEFAULT_PAGE_SIZE, pageQuery } from '#shared/api/platform/queryInputs.ts';
import { queryTags } from '#shared/api/platform/tagInputs.ts';
import { meta } from '#shared/api/views.ts';
import { text } from '#shared/core/text.ts';
import { dates } from '#shared/domain/botChat/botChatInputs.ts';
import { queryMessages } from '#shared/domain/botChat/messages/queryMessages.ts';
import { loadMessage, MessageView } from '#shared/domain/messaging/botViews/messageView.ts';

export const listMessages = botChatOperation({
  name: 'listMessages',
  summary:
    'Lists messages of a conversation or with some tags, newest first. Without either, lists all messages of the bot by conversation, newest conversation first. Large messages shorten the page.',
  scope: 'bot',
  method: 'GET',
  path: '/chat/messages',
  table: 'reads',
  largeValues: 'reads',
  query: z.object({
    ...pageQuery,
    ...dates,
    conversationId: z.optional(text(200)),
    tags: z.optional(queryTags()),
  }),
  output: z.object({ messages: z.array(MessageView), meta }),
  statuses: [200],

  handle: async call => {
    const { pageSize = DEFAULT_PAGE_SIZE, nextToken: _, ...filters } = call.input;
    const { messages, next } = await queryMessages(call, filters, pageSize);
    return ok({
      messages: await Promise.all(
        messages.map(({ conversationId, entry }) => loadMessage(call, conversationId, entry)),
      ),
      meta: next ? { nextToken: call.nextToken(next) } : {},
    });
  },
});
