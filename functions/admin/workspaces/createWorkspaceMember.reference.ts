import { error, exists } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { createWorkspaceMember } from './createWorkspaceMember.ts';

export default reference<typeof createWorkspaceMember>({
  errors: [
    exists('The address belongs to a member or has an invitation.'),
    error('QuotaExceeded', 'The workspace has reached its member quota.'),
  ],
  example: { body: { email: 'cleo@example.com', role: 'viewer' } },
  budget: { calls: 1 },
});
