import * as z from 'zod/mini';
import { chatOperation } from '#shared/api/chat/operation.ts';
import { ok } from '#shared/api/operation.ts';
import { ConversationView, viewConversation } from '#shared/domain/chat/views.ts';
import { findConversation } from '#shared/storage/dynamodb/chat/conversations.ts';
import { notFound } from '#shared/core/errors.ts';

export const getConversation = chatOperation({
  name: 'getConversation',
  summary: 'Returns a conversation that the caller takes part in.',
  method: 'GET',
  path: '/conversations/{id}',
  access: { who: 'participant', of: input => input.id },
  table: 'reads',
  output: z.object({ conversation: ConversationView }),
  statuses: [200],

  read: ({ botId, conversationId }) => findConversation(botId, conversationId),
  handle: async ({ input, participant, read: conversation }) => {
    if (conversation?.generation !== participant.generation) throw notFound(`The conversation ${input.id}`);
    return ok({ conversation: viewConversation(conversation) });
  },
});
