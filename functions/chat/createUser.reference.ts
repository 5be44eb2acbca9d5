import { error, exists } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { createUser } from './createUser.ts';

export default reference<typeof createUser>({
  errors: [
    exists('A user with this id exists.'),
    error('Unauthorized', 'The owner of the bot signs the user keys. Call getOrCreateUser to create a user.'),
  ],
  example: { body: { name: 'Cleo', pictureUrl: 'https://example.com/cleo.png', profile: '{"city":"Cairo"}' } },
  // Includes the user's entries in the bot's lists by creation and by update.
  budget: { calls: 1, writeUnits: 3 },
});
