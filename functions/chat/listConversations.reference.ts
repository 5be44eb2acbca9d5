import { reference } from '#shared/api/reference/reference.ts';
import type { listConversations } from './listConversations.ts';

export default reference<typeof listConversations>({
  example: {},
  // Reads the ordered keys, and then both records of each.
  budget: { calls: 2 },
});
