import { PARTICIPANTS } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { addParticipant } from './addParticipant.ts';

export default reference<typeof addParticipant>({
  errors: [PARTICIPANTS],
  example: { path: { conversationId: EXAMPLE.conversation }, body: { userId: EXAMPLE.thirdUser } },
  budget: { calls: 5 },
});
