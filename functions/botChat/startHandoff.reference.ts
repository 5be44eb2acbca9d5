import { ASSIGNED, MEMBER } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { startHandoff } from './startHandoff.ts';

export default reference<typeof startHandoff>({
  errors: [ASSIGNED, MEMBER],
  example: { body: { conversationId: EXAMPLE.conversation, reason: 'Asks for a person' } },
  // Reads the conversation and writes once.
  budget: { calls: 2 },
});
