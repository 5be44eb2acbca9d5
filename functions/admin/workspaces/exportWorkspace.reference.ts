import { error } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { exportWorkspace } from './exportWorkspace.ts';

export default reference<typeof exportWorkspace>({
  errors: [error('ResourceLockedConflict', 'An export of the workspace is in progress.')],
  example: { path: { id: EXAMPLE.workspace } },
  // Reads the workspace's exports and writes once.
  budget: { calls: 2 },
});
