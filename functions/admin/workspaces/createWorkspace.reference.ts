import { MEMBERSHIPS } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { createWorkspace } from './createWorkspace.ts';

export default reference<typeof createWorkspace>({
  errors: [MEMBERSHIPS],
  example: { body: { name: 'Tea house' } },
  budget: { calls: 1 },
});
