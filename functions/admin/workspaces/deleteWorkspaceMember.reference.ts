import { LAST_OWNER } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { deleteWorkspaceMember } from './deleteWorkspaceMember.ts';

export default reference<typeof deleteWorkspaceMember>({
  errors: [LAST_OWNER],
  parameters: {
    revokeKeys: 'Also revokes the keys that the member created.',
  },
  example: { path: { id: EXAMPLE.otherMember } },
  budget: { calls: 2 },
});
