import { reference } from '#shared/api/reference/reference.ts';
import type { listInboxAgents } from './listInboxAgents.ts';

export default reference<typeof listInboxAgents>({
  parameters: {
    accountId: 'Restricts the list to this account, without pages.',
  },
  example: {},
  // Lists the members, then reads their accounts and records, and the connected members.
  budget: { calls: 4 },
});
