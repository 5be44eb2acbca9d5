import { MENTIONED } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { createNote } from './createNote.ts';

export default reference<typeof createNote>({
  example: {
    path: { conversationId: EXAMPLE.conversation },
    body: { text: '@Ada, the customer prefers green tea.', mentions: [EXAMPLE.account] },
  },
  errors: [MENTIONED],
  // Reads the conversation and the mentioned members, and writes once.
  budget: { calls: 3 },
});
