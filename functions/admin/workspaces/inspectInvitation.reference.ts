import { error } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { inspectInvitation } from './inspectInvitation.ts';

export default reference<typeof inspectInvitation>({
  errors: [error('Unauthorized', 'The invitation is invalid, used, replaced or expired.')],
  example: { body: { inviteToken: EXAMPLE.pendingInvitation } },
  budget: { calls: 2 },
});
