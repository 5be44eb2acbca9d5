import { reference } from '#shared/api/reference/reference.ts';
import type { listMentions } from './listMentions.ts';

export default reference<typeof listMentions>({
  parameters: { isUnread: 'Lists only mentions that the caller has not marked as read.' },
  example: {},
  // Queries the list; reads the mentions, their bots and notes, and per bot the messages and users.
  budget: { calls: 6 },
});
