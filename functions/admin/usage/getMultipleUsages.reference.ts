import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getMultipleUsages } from './getMultipleUsages.ts';

export default reference<typeof getMultipleUsages>({
  parameters: {
    types: 'The types of usage, one or more.',
    ids: 'The workspace and bots to count, one or more ids.',
  },
  example: { query: { types: 'bot_count', ids: EXAMPLE.workspace } },
  budget: { calls: 2 },
});
