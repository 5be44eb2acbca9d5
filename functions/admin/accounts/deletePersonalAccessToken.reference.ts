import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { deletePersonalAccessToken } from './deletePersonalAccessToken.ts';

export default reference<typeof deletePersonalAccessToken>({
  example: { path: { id: EXAMPLE.personalToken } },
  budget: { calls: 2 },
});
