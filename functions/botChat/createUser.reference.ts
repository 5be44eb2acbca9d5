import { ALIAS, BY_INTEGRATION } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { createUser } from './createUser.ts';

export default reference<typeof createUser>({
  errors: [ALIAS, ...BY_INTEGRATION],
  example: { body: { name: 'Dora', tags: { plan: 'free' } } },
  budget: { calls: 2 },
});
