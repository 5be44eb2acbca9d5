import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getParticipant } from './getParticipant.ts';

export default reference<typeof getParticipant>({
  example: { path: { id: EXAMPLE.conversation, userId: EXAMPLE.otherUser } },
  budget: { calls: 3 },
});
