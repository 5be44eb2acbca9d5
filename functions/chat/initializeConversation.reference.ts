import { LEASES } from '#shared/api/reference/costs.ts';
import { error } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { initializeConversation } from './initializeConversation.ts';

export default reference<typeof initializeConversation>({
  errors: [error('Forbidden', 'The caller is not a participant of the conversation.')],
  parameters: {
    conversationId: 'The conversation to continue. Default: a new one.',
  },
  example: { query: { conversationId: EXAMPLE.conversation } },
  // Reads the user, the participation twice, the conversation, messages, participants and users.
  budget: { calls: 9 + LEASES, parallel: 3 },
});
