import { reference } from '#shared/api/reference/reference.ts';
import type { updateUser } from './updateUser.ts';

export default reference<typeof updateUser>({
  example: { body: { name: 'Ada Lovelace' } },
  // Replaces the user's entry in the list by update.
  budget: { calls: 1, writeUnits: 4 },
});
