import { BOT_QUOTA, limit } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { createBot } from './createBot.ts';

export default reference<typeof createBot>({
  errors: [BOT_QUOTA, limit('The definition, its code or its recurring events exceed their limits.')],
  example: { body: { name: 'Concierge', url: 'https://bot.example.com', tags: { team: 'tea' } } },
  budget: { calls: 1 },
});
