import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { chatOperation } from '#shared/api/operations/chat.ts';
import { notFound } from '#shared/core/errors.ts';
import { ConversationWithHandoff, viewConversation, viewHandoff } from '#shared/domain/chat/chatViews.ts';
import { findConversation } from '#shared/storage/dynamodb/chat/conversations.ts';
import { findLatestHandoff } from '#shared/storage/dynamodb/chat/handoffs.ts';

export const getConversation = chatOperation({
  name: 'getConversation',
  summary: 'Returns a conversation of the caller.',
  method: 'GET',
  path: '/conversations/{id}',
  access: { who: 'participant', of: input => input.id },
  table: 'reads',
  output: z.object({ conversation: ConversationWithHandoff }),
  statuses: [200],

  read: ({ botId, conversationId }) => findConversation(botId, conversationId),
  handle: async ({ botId, input, participant, read: conversation }) => {
    if (conversation?.generation !== participant.generation) throw notFound(`The conversation ${input.id}`);
    const handoff = viewHandoff(await findLatestHandoff(botId, conversation));
    return ok({ conversation: { ...viewConversation(conversation), handoff } });
  },
});
