import { reference } from '#shared/api/reference/reference.ts';
import type { countInboxHandoffs } from './countInboxHandoffs.ts';

export default reference<typeof countInboxHandoffs>({
  parameters: {
    botIds:
      'Bots of the workspace, up to 100. Ids of other bots are ignored. By default, the 100 bots that were updated last.',
  },
  example: {},
  // Lists the bots, then queries each of them five times. Counts the mentions, and reads the agent.
  budget: { calls: 8 },
});
