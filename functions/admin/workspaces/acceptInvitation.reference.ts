import { error, MEMBERSHIPS } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { acceptInvitation } from './acceptInvitation.ts';

export default reference<typeof acceptInvitation>({
  errors: [error('Unauthorized', 'The invitation is invalid, used or expired.'), MEMBERSHIPS],
  example: { body: { inviteToken: EXAMPLE.invitation, displayName: 'Bob' } },
  budget: { calls: 2 },
});
