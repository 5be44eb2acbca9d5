import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { chatOperation } from '#shared/api/operations/chat.ts';
import { meta } from '#shared/api/views.ts';
import { listQuery, PAGE_SIZE } from '#shared/domain/chat/chatInputs.ts';
import { MessageView } from '#shared/domain/chat/chatViews.ts';
import { loadMessage } from '#shared/domain/chat/timelineViews.ts';
import * as timeline from '#shared/storage/dynamodb/chat/timeline.ts';

export const listMessages = chatOperation({
  name: 'listMessages',
  summary: 'Lists the messages of a conversation, newest first. Large messages shorten the page.',
  method: 'GET',
  path: '/conversations/{conversationId}/messages',
  access: { who: 'participant', of: input => input.conversationId },
  table: 'reads',
  largeValues: 'reads',
  query: listQuery,
  output: z.object({ messages: z.array(MessageView), meta }),
  statuses: [200],

  read: ({ botId, conversationId, pageStart, participation }) =>
    timeline.listMessages(botId, conversationId, {
      before: pageStart,
      limit: PAGE_SIZE,
      generation: async () => (await participation).generation,
    }),
  handle: async ({ participant, read: { entries, next }, nextToken }) =>
    ok({
      messages: await Promise.all(entries.map(entry => loadMessage(entry, participant))),
      meta: next ? { nextToken: nextToken(next) } : {},
    }),
});
