import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getUser } from './getUser.ts';

export default reference<typeof getUser>({
  example: { path: { id: EXAMPLE.user } },
  budget: { calls: 1 },
});
