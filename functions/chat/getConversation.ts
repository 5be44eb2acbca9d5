import * as z from 'zod/mini';
import { chatOperation } from '#shared/api/chat/operation.ts';
import { ok } from '#shared/api/operation.ts';
import { ConversationView, viewConversationOf } from '#shared/chat/views.ts';

export const getConversation = chatOperation({
  name: 'getConversation',
  summary: 'Returns a conversation that the caller takes part in.',
  method: 'GET',
  path: '/conversations/{id}',
  access: { who: 'participant', of: input => input.id },
  table: 'reads',
  output: z.object({ conversation: ConversationView }),
  statuses: [200],

  handle: async ({ participant }) => ok({ conversation: viewConversationOf(participant) }),
});
