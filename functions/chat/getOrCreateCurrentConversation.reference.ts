import { reference } from '#shared/api/reference/reference.ts';
import type { getOrCreateCurrentConversation } from './getOrCreateCurrentConversation.ts';

export default reference<typeof getOrCreateCurrentConversation>({
  example: { body: {} },
  // Reads the user, and then the conversation and the participation in one call.
  budget: { calls: 2, readUnits: 3 },
});
