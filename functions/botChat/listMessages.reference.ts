import { NO_CONVERSATION } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { listMessages } from './listMessages.ts';

export default reference<typeof listMessages>({
  errors: [NO_CONVERSATION],
  example: { query: { conversationId: EXAMPLE.conversation } },
  budget: { calls: 2 },
});
