import { error, unknown } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { callAction } from './callAction.ts';

export default reference<typeof callAction>({
  errors: [
    unknown('The bot or the installation has no such action, or the installation does not exist.'),
    error('Runtime', 'The endpoint failed or was unreachable, or its response has no output.'),
    error('OperationTimeout', 'The endpoint did not respond within 10 seconds.'),
  ],
  example: { body: { type: 'orderTea', input: { cups: 2 } } },
  // Reads the bot, and its slow calls at most once per second.
  budget: { calls: 2 },
});
