import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { updateUser } from './updateUser.ts';

export default reference<typeof updateUser>({
  example: { path: { id: EXAMPLE.user }, body: { tags: { plan: 'paid' } } },
  budget: { calls: 2 },
});
