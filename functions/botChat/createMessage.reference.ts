import { MESSAGE_QUOTA, PARTICIPANTS } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { createMessage } from './createMessage.ts';

export default reference<typeof createMessage>({
  errors: [MESSAGE_QUOTA, PARTICIPANTS],
  example: {
    body: {
      conversationId: EXAMPLE.conversation,
      userId: EXAMPLE.bot,
      type: 'text',
      payload: { text: 'Green or black?' },
      tags: {},
    },
  },
  budget: { calls: 2 },
});
