import { exists, KNOWLEDGE_BASE, STORAGE_QUOTA } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { copyFile } from './copyFile.ts';

export default reference<typeof copyFile>({
  errors: [
    KNOWLEDGE_BASE,
    STORAGE_QUOTA,
    exists('A file with the destination key exists, and `overwrite` is not set.'),
  ],
  parameters: {
    idOrKey: "The file's id or key. Encode a `/` in a key as `%2F`.",
    destinationKey: 'The key of the copy. Encode a `/` as `%2F`.',
    'x-destination-bot-id': 'The bot that receives the copy. Default: the same bot.',
  },
  example: { path: { idOrKey: EXAMPLE.file, destinationKey: 'copy.txt' }, body: { overwrite: true } },
  // Reads the source, the destination, the quota and the bot's totals, stages the object, and writes once.
  budget: { calls: 6 },
});
