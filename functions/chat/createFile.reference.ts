import { error, exists, STORAGE_QUOTA } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { createFile } from './createFile.ts';

export default reference<typeof createFile>({
  errors: [
    error('Forbidden', 'The installation does not accept files of users.'),
    exists('The caller has a file with this key.'),
    STORAGE_QUOTA,
  ],
  example: { body: { key: 'photo.png', size: 48_213, contentType: 'image/png' } },
  // Increments the rate counters of the user and the bot, sets the uploads' shared timer once per ten minutes, and
  // writes the file with its user.
  budget: { calls: 5 },
});
