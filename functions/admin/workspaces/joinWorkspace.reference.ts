import { error, exists, MEMBERSHIPS } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { joinWorkspace } from './joinWorkspace.ts';

export default reference<typeof joinWorkspace>({
  errors: [
    error('Forbidden', 'The token is that of a bot or an integration.'),
    exists('The account is a member of the workspace.'),
    MEMBERSHIPS,
  ],
  example: { body: { inviteToken: EXAMPLE.otherInvitation } },
  budget: { calls: 3 },
});
