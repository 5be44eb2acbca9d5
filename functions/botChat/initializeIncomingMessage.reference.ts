import { ALIAS, DISCRIMINATION, MESSAGE_QUOTA, PARTICIPANTS } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { initializeIncomingMessage } from './initializeIncomingMessage.ts';

export default reference<typeof initializeIncomingMessage>({
  errors: [ALIAS, MESSAGE_QUOTA, PARTICIPANTS, DISCRIMINATION],
  example: {
    body: {
      user: { tags: { 'chat:id': 'dora' }, discriminateByTags: ['chat:id'] },
      conversation: { channel: 'channel', tags: { 'chat:id': 'thread-7' }, discriminateByTags: ['chat:id'] },
      message: {
        type: 'text',
        payload: { text: 'Hello' },
        tags: { 'chat:id': 'mail-1' },
        discriminateByTags: ['chat:id'],
      },
    },
  },
  // Reads user, conversation, message and participant, and writes once.
  budget: { calls: 5 },
});
