import { reference } from '#shared/api/reference/reference.ts';
import type { listInboxHandoffs } from './listInboxHandoffs.ts';

export default reference<typeof listInboxHandoffs>({
  parameters: {
    botIds:
      'Bots of the workspace, up to 100. Ids of other bots are ignored. By default, the 100 bots that were updated last.',
    status:
      'Status of the handoffs, or several of them. Snoozed ones are listed as `snoozed` instead of by their status.',
    accountId: 'The account of the assignee or, with `status=closed`, of the last one.',
    isUnread: 'Lists only unread conversations that are assigned to the member in `accountId`.',
    labelId:
      'Lists only conversations with this label. A call examines up to 1,000 handoffs, so a page may be short and have a token.',
    conversationIds:
      'Returns the latest handoff of each of these conversations, whatever the other filters. Requires their bot as the only element of `botIds`.',
    sortDirection:
      'Order: `desc` (default) or `asc`. The queue (`status=waiting`) is sorted by priority, then by the start of the handoffs, the conversations of a member by the last message of a user, snoozed ones by the end of the snooze, and other lists by the last change.',
  },
  example: { query: { status: 'served' } },
  // Lists the bots, then queries each of them, in descending order of the queue once per priority; reads the handoffs,
  // and per bot the conversations, messages and users.
  budget: { calls: 10 },
});
