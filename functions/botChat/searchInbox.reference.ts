import { reference } from '#shared/api/reference/reference.ts';
import type { searchInbox } from './searchInbox.ts';

export default reference<typeof searchInbox>({
  parameters: {
    query:
      'Words, of which each must be the start of a word of the name, of an email address, or of a word of a tag or attribute, without regard to case and diacritics. Or the id of a user or conversation, or a tag with its whole value as `name=value`. 2 to 200 characters.',
    botIds:
      'Bots of the workspace, up to 100. Ids of other bots are ignored. By default, the 100 bots that were updated last.',
  },
  example: { query: { query: 'ada' } },
  // Lists the bots, queries the terms of each and reads the users; per user queries and reads the conversations.
  budget: { calls: 10 },
});
