import { reference } from '#shared/api/reference/reference.ts';
import type { deleteUser } from './deleteUser.ts';

export default reference<typeof deleteUser>({
  example: {},
  // Marks as deleting, lists, reads, retains owner tags (conversations, value, first, others), deletes entries, deletes
  // the record.
  budget: { calls: 9 },
});
