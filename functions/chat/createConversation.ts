import * as z from 'zod/mini';
import { chatOperation } from '#shared/api/operations/chat.ts';
import { foreignId } from '#shared/domain/chat/chatInputs.ts';
import { ConversationView } from '#shared/domain/chat/chatViews.ts';
import { startConversation } from '#shared/domain/chat/startConversation.ts';

export const createConversation = chatOperation({
  name: 'createConversation',
  summary: 'Creates a conversation owned by the caller.',
  method: 'POST',
  path: '/conversations',
  access: { who: 'user' },
  table: 'writes',
  largeValues: 'writes',
  body: z.object({ id: z.optional(foreignId()) }),
  output: z.object({ conversation: ConversationView }),
  statuses: [201],

  handle: call => startConversation(call, call.input.id),
});
