import * as z from 'zod/mini';
import { isParticipation } from '#shared/api/chat/authorise.ts';
import { ok } from '#shared/api/operation.ts';
import { chatOperation } from '#shared/api/operations/chat.ts';
import { meta } from '#shared/api/views.ts';
import { listQuery, PAGE_SIZE } from '#shared/domain/chat/chatInputs.ts';
import { ConversationView, viewConversation } from '#shared/domain/chat/chatViews.ts';
import { listUserConversations } from '#shared/storage/dynamodb/chat/userConversations.ts';

export const listConversations = chatOperation({
  name: 'listConversations',
  summary:
    "Lists the caller's conversations, newest activity first. Activity can move a conversation to an earlier page.",
  method: 'GET',
  path: '/conversations',
  access: { who: 'user' },
  table: 'reads',
  query: listQuery,
  output: z.object({ conversations: z.array(ConversationView), meta }),
  statuses: [200],

  handle: async ({ webhook, botId, caller, pageStart, nextToken }) => {
    const after = pageStart === undefined ? undefined : JSON.parse(pageStart);
    const { records, next } = await listUserConversations(botId, caller.userId, { after, limit: PAGE_SIZE });
    return ok({
      conversations: records
        .filter(({ participant }) => isParticipation(webhook, caller, participant))
        .map(({ conversation }) => viewConversation(conversation)),
      meta: next ? { nextToken: nextToken(JSON.stringify(next)) } : {},
    });
  },
});
