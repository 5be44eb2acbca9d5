import { EXAMPLE, EXAMPLE_DAY } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { replayBotEvents } from './replayBotEvents.ts';

export default reference<typeof replayBotEvents>({
  example: { path: { id: EXAMPLE.bot }, body: { since: `${EXAMPLE_DAY}T00:00:00Z` } },
  budget: { calls: 3 },
});
