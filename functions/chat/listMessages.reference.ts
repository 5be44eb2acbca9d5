import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { listMessages } from './listMessages.ts';

export default reference<typeof listMessages>({
  example: { path: { conversationId: EXAMPLE.conversation } },
  budget: { calls: 2, readUnits: 2, parallel: 2 },
});
