import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { deleteUser } from './deleteUser.ts';

export default reference<typeof deleteUser>({
  example: { path: { id: EXAMPLE.user } },
  // Reads, marks as deleting, lists, deletes entries, deletes the record.
  budget: { calls: 5 },
});
