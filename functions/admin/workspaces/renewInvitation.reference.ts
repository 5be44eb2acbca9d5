import { exists } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { renewInvitation } from './renewInvitation.ts';

export default reference<typeof renewInvitation>({
  errors: [exists('The invitation was accepted.')],
  example: { path: { id: EXAMPLE.pendingMember } },
  budget: { calls: 2 },
});
