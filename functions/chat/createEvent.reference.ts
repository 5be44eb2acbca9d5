import { MESSAGE_QUOTA } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { createEvent } from './createEvent.ts';

export default reference<typeof createEvent>({
  errors: [MESSAGE_QUOTA],
  example: { body: { conversationId: EXAMPLE.conversation, payload: { type: 'clicked', button: 'order' } } },
  budget: { calls: 2, readUnits: 1, writeUnits: 1 },
});
