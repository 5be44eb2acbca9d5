import { error } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { createSession } from './createSession.ts';

export default reference<typeof createSession>({
  errors: [error('Forbidden', 'The token is a session, or that of a bot or an integration.')],
  example: { body: { note: 'Firefox on Linux' } },
  // Reads the sessions of the account.
  budget: { calls: 2 },
});
