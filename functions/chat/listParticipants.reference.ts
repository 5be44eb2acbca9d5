import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { listParticipants } from './listParticipants.ts';

export default reference<typeof listParticipants>({
  example: { path: { conversationId: EXAMPLE.conversation } },
  budget: { calls: 3, parallel: 2 },
});
