import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { removeParticipant } from './removeParticipant.ts';

export default reference<typeof removeParticipant>({
  example: { path: { id: EXAMPLE.conversation, userId: EXAMPLE.otherUser } },
  budget: { calls: 3 },
});
