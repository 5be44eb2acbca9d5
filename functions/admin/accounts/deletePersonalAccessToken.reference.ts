import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { deletePersonalAccessToken } from './deletePersonalAccessToken.ts';

export default reference<typeof deletePersonalAccessToken>({
  example: { path: { id: EXAMPLE.personalToken } },
  // Reads the tokens and then the sessions, so that a session created in between is found.
  budget: { calls: 3 },
});
