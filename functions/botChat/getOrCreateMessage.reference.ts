import { DISCRIMINATION, MESSAGE_QUOTA, PARTICIPANTS } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getOrCreateMessage } from './getOrCreateMessage.ts';

export default reference<typeof getOrCreateMessage>({
  errors: [MESSAGE_QUOTA, PARTICIPANTS, DISCRIMINATION],
  example: {
    body: {
      conversationId: EXAMPLE.conversation,
      userId: EXAMPLE.bot,
      type: 'text',
      payload: { text: 'Welcome.' },
      tags: { kind: 'welcome' },
    },
  },
  budget: { calls: 2 },
});
