import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { deleteConversation } from './deleteConversation.ts';

export default reference<typeof deleteConversation>({
  example: { path: { id: EXAMPLE.conversation } },
  // Reads the conversation with its participants, because the tombstone replaces it.
  budget: { calls: 4, parallel: 2 },
});
