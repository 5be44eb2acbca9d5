import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { listDeadLetters } from './listDeadLetters.ts';

export default reference<typeof listDeadLetters>({
  example: { path: { id: EXAMPLE.bot } },
  // Reads two lists. The bot has no failed events or outbound messages.
  budget: { calls: 2 },
});
