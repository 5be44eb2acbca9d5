import { reference } from '#shared/api/reference/reference.ts';
import type { getUser } from './getUser.ts';

export default reference<typeof getUser>({
  example: {},
  budget: { calls: 1, readUnits: 1 },
});
