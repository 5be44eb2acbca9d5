import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { requireConversation } from '#shared/domain/botChat/botChatConversations.ts';
import { ConversationView, viewConversation } from '#shared/domain/messaging/botViews/conversationView.ts';
import { etag } from '#shared/domain/messaging/botViews/viewFields.ts';

export const getConversation = botChatOperation({
  name: 'getConversation',
  summary: 'Returns a conversation.',
  scope: 'bot',
  method: 'GET',
  path: '/chat/conversations/{id}',
  table: 'reads',
  output: z.object({ conversation: ConversationView }),
  statuses: [200],

  handle: async call => {
    const conversation = await requireConversation(call, call.input.id);
    return { ...ok({ conversation: viewConversation(call, conversation) }), headers: etag(conversation.version) };
  },
});
