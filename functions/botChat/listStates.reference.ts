import { reference } from '#shared/api/reference/reference.ts';
import type { listStates } from './listStates.ts';

export default reference<typeof listStates>({
  parameters: {
    type: 'The type of the owner of the states. Lists those of the bot and its integrations by default.',
    ownerId: 'The conversation, user or workflow whose states are listed. Required for these types.',
  },
  example: { query: { type: 'bot' } },
  // Reads the bot's installations, or the owner, and one partition of states.
  budget: { calls: 2 },
});
