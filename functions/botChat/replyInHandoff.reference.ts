import { ASSIGNED, MESSAGE_QUOTA, PARTICIPANTS } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { replyInHandoff } from './replyInHandoff.ts';

export default reference<typeof replyInHandoff>({
  errors: [ASSIGNED, MESSAGE_QUOTA, PARTICIPANTS],
  example: {
    path: { id: EXAMPLE.assignedHandoff },
    body: { type: 'text', payload: { text: 'How can I help?' } },
  },
  // Reads the handoff and the author, and writes once.
  budget: { calls: 3 },
});
