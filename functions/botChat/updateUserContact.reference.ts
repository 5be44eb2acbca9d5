import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { updateUserContact } from './updateUserContact.ts';

export default reference<typeof updateUserContact>({
  example: { path: { id: EXAMPLE.user }, body: { email: 'ada@example.com', company: 'Analytical Engines' } },
  // Reads the user, and writes it.
  budget: { calls: 2 },
});
