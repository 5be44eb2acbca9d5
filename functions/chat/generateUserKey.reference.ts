import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { generateUserKey } from './generateUserKey.ts';

export default reference<typeof generateUserKey>({
  example: {
    headers: { 'x-admin-secret': EXAMPLE.adminSecret },
    body: { id: EXAMPLE.otherUser },
  },
  budget: { calls: 1, readUnits: 1 },
});
