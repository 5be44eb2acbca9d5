import { error } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getOrCreateUser } from './getOrCreateUser.ts';

export default reference<typeof getOrCreateUser>({
  errors: [error('Forbidden', 'The user belongs to another integration.')],
  example: { body: { name: 'Ada' } },
  budget: { calls: 1, readUnits: 1 },
});
