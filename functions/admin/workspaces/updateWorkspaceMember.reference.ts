import { LAST_OWNER } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { updateWorkspaceMember } from './updateWorkspaceMember.ts';

export default reference<typeof updateWorkspaceMember>({
  errors: [LAST_OWNER],
  example: { path: { id: EXAMPLE.otherMember }, body: { role: 'developer' } },
  budget: { calls: 2 },
});
