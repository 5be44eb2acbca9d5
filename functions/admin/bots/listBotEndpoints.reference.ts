import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { listBotEndpoints } from './listBotEndpoints.ts';

export default reference<typeof listBotEndpoints>({
  example: { path: { id: EXAMPLE.bot } },
  // Reads the bot, its integrations, and breakers with timers.
  budget: { calls: 3 },
});
