import { reference } from '#shared/api/reference/reference.ts';
import type { listStates } from './listStates.ts';

export default reference<typeof listStates>({
  parameters: {
    type: 'The type of the owner of the states.',
  },
  example: { query: { type: 'bot' } },
  // Reads the bot's installations and one partition of states.
  budget: { calls: 2 },
});
