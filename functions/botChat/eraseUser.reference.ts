import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { eraseUser } from './eraseUser.ts';

export default reference<typeof eraseUser>({
  example: { path: { id: EXAMPLE.user } },
  // Re-reads the caller, reads the user, marks it as deleting, and records the erasure.
  budget: { calls: 4 },
});
