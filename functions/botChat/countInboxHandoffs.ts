import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { oneOrMore } from '#shared/api/platform/queryInputs.ts';
import { dateTime, iso } from '#shared/api/views.ts';
import { text } from '#shared/core/text.ts';
import { countInbox, inboxBots } from '#shared/domain/botChat/handoffs/queryInbox.ts';
import { MAX_COUNT } from '#shared/storage/dynamodb/chat/handoffLists.ts';

export const countInboxHandoffs = botChatOperation({
  name: 'countInboxHandoffs',
  summary:
    'Counts the open handoffs of up to 100 bots of the workspace, up to 100 each: waiting and assigned ones, and those that are assigned to the caller or unread.',
  scope: 'account',
  method: 'GET',
  path: '/chat/inbox/handoff-counts',
  table: 'reads',
  partitions: { reads: ['workspaces', 'workspaceLists'] },
  query: z.object({ botIds: z.optional(oneOrMore(text(200))) }),
  output: z.object({
    counts: z.object({ waiting: z.number(), served: z.number(), mine: z.number(), unread: z.number() }),
    countedAt: dateTime(),
    isPartial: z.boolean(),
  }),
  statuses: [200],

  handle: async call => {
    const { input, nowMs } = call;
    const memberId = call.account.id;
    const { botIds, isPartial } = await inboxBots(call, input.botIds);
    const [waiting, served, mine, unread] = await countInbox(
      botIds,
      [{ status: 'waiting' }, { status: 'served' }, { memberId }, { memberId, isUnread: true }],
      MAX_COUNT,
    );
    return ok({
      counts: { waiting: waiting!, served: served!, mine: mine!, unread: unread! },
      countedAt: iso(nowMs),
      isPartial,
    });
  },
});
