import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { createBotApiKey } from './createBotApiKey.ts';

export default reference<typeof createBotApiKey>({
  example: { body: { botId: EXAMPLE.bot, note: 'Server' } },
  budget: { calls: 3 },
});
