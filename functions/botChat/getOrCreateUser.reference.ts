import { ALIAS, DISCRIMINATION } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getOrCreateUser } from './getOrCreateUser.ts';

export default reference<typeof getOrCreateUser>({
  errors: [ALIAS, DISCRIMINATION],
  example: { body: { name: 'Eve', tags: { email: 'eve@example.com' }, discriminateByTags: ['email'] } },
  budget: { calls: 2 },
});
