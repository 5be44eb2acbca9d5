import * as z from 'zod/mini';
import { requireConversation } from '../../shared/bot-chat/conversations.ts';
import { etag } from '../../shared/bot-chat/views/common.ts';
import { ConversationView, viewConversation } from '../../shared/bot-chat/views/conversation.ts';
import { ok } from '../../shared/operation.ts';
import { botChatOperation } from '../../shared/platform/operation.ts';

export const getConversation = botChatOperation({
  name: 'getConversation',
  summary: 'One conversation.',
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
