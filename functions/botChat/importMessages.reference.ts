import { DISCRIMINATION, MESSAGE_QUOTA, PARTICIPANTS } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { importMessages } from './importMessages.ts';

export default reference<typeof importMessages>({
  errors: [MESSAGE_QUOTA, PARTICIPANTS, DISCRIMINATION],
  example: {
    body: {
      messages: [
        {
          conversationId: EXAMPLE.conversation,
          userId: EXAMPLE.bot,
          type: 'text',
          payload: { text: 'We spoke elsewhere.' },
          tags: { 'chat:id': 'old-1' },
          discriminateByTags: ['chat:id'],
          createdAt: '2020-01-01T09:00:00Z',
        },
      ],
    },
  },
  budget: { calls: 2 },
});
