import { BOT_LIST } from '#shared/api/reference/costs.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { listHandoffs } from './listHandoffs.ts';

export default reference<typeof listHandoffs>({
  parameters: {
    status: 'Status of the handoffs. Snoozed ones are listed as `snoozed` instead of by their status.',
    accountId: 'The account of the assignee or, with `status=closed`, of the last one.',
    isUnread: 'Lists only unread conversations that are assigned to the member in `accountId`.',
    sortDirection:
      'Order: `desc` (default) or `asc`. The queue (`status=waiting`) is sorted by priority, then by the start of the handoffs, the conversations of a member by the last message of a user, snoozed ones by the end of the snooze, and other lists by the last change.',
    preview:
      'Adds the user who wrote last and the latest message to each handoff. Costs three more calls, and `version` then includes them.',
    version: 'The `meta.version` of an earlier response. An unchanged page is then returned empty.',
  },
  example: { query: { status: 'waiting' } },
  // In descending order, each priority of the queue is a query.
  budget: { calls: BOT_LIST + 3 },
});
