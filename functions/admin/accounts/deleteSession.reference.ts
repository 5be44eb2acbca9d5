import { error } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { deleteSession } from './deleteSession.ts';

export default reference<typeof deleteSession>({
  errors: [error('Forbidden', 'The token is that of a bot or an integration.')],
  example: { path: { id: EXAMPLE.session } },
  budget: { calls: 2 },
});
