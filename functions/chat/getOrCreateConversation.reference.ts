import { error } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getOrCreateConversation } from './getOrCreateConversation.ts';

export default reference<typeof getOrCreateConversation>({
  errors: [error('Forbidden', 'A conversation with this id exists, and the caller is not a participant.')],
  example: { body: { id: 'support' } },
  // Reads the conversation and the participation in one call.
  budget: { calls: 1, readUnits: 2 },
});
