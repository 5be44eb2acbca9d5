import { error } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { retryBotEndpoint } from './retryBotEndpoint.ts';

export default reference<typeof retryBotEndpoint>({
  errors: [
    error('ResourceNotFound', 'The bot has no enabled installation with this alias and an endpoint.'),
    error('RateLimited', 'The endpoint was retried less than five seconds ago.'),
  ],
  example: { path: { id: EXAMPLE.bot }, body: {} },
  // Reads the bot, claims the retry, ends the breaker's pause, lists pauses, and reads the endpoint.
  budget: { calls: 7 },
});
