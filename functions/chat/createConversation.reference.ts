import { exists } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { createConversation } from './createConversation.ts';

export default reference<typeof createConversation>({
  errors: [exists('A conversation with this id exists.')],
  example: { body: { id: 'order-42' } },
  // Reads the user, and writes the participation and the conversation.
  budget: { calls: 3, writeUnits: 5 },
});
