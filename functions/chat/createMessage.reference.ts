import { MESSAGE_QUOTA } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { createMessage } from './createMessage.ts';

export default reference<typeof createMessage>({
  errors: [MESSAGE_QUOTA],
  example: {
    body: { conversationId: EXAMPLE.conversation, payload: { type: 'text', text: 'Is there tea?' } },
  },
  budget: { calls: 2, readUnits: 1, writeUnits: 1 },
});
