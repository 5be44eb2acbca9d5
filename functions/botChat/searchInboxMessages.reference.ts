import { reference } from '#shared/api/reference/reference.ts';
import type { searchInboxMessages } from './searchInboxMessages.ts';

export default reference<typeof searchInboxMessages>({
  parameters: {
    query: 'Text within a message, without regard to case and diacritics. 2 to 200 characters.',
    botIds:
      'Bots of the workspace, up to 100. Ids of other bots are ignored. By default, the 100 bots that were updated last.',
    pageSize: 'Number of conversations with a match, from 1 to 100, by default 20. A page may have fewer.',
  },
  example: { query: { query: 'help' } },
  // Lists the bots and their conversations, reads these, and queries the messages of each.
  // Resolves the bots, then queries the messages of each conversation, of which the test world has about a hundred.
  budget: { calls: 220 },
});
