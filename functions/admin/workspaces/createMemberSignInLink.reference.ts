import { error } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { createMemberSignInLink } from './createMemberSignInLink.ts';

export default reference<typeof createMemberSignInLink>({
  errors: [
    error('Forbidden', "The member's role is higher than the caller's."),
    error('RelationConflict', 'The member has not accepted the invitation.'),
  ],
  example: { path: { id: EXAMPLE.member } },
  // Reads the member and the earlier links.
  budget: { calls: 3 },
});
