import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { listDeadLetters } from './listDeadLetters.ts';

export default reference<typeof listDeadLetters>({
  example: { path: { id: EXAMPLE.bot } },
  // Reads the bot, and a page of its dead letters.
  budget: { calls: 2 },
});
