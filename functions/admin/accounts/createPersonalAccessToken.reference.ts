import { reference } from '#shared/api/reference/reference.ts';
import type { createPersonalAccessToken } from './createPersonalAccessToken.ts';

export default reference<typeof createPersonalAccessToken>({
  example: { body: { note: 'Laptop', expiresAt: '2099-01-01T00:00:00Z' } },
  budget: { calls: 2 },
});
