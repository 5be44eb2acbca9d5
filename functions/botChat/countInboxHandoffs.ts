import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { oneOrMore } from '#shared/api/platform/queryInputs.ts';
import { dateTime, iso } from '#shared/api/views.ts';
import { text } from '#shared/core/text.ts';
import { ownAvailability } from '#shared/domain/botChat/agents/availability.ts';
import { countInbox, inboxBots } from '#shared/domain/botChat/handoffs/queryInbox.ts';
import { AVAILABILITIES } from '#shared/storage/dynamodb/agents/agents.ts';
import { MAX_COUNT } from '#shared/storage/dynamodb/chat/handoffLists.ts';
import { countUnreadMentions } from '#shared/storage/dynamodb/chat/mentions.ts';

export const countInboxHandoffs = botChatOperation({
  name: 'countInboxHandoffs',
  summary:
    "Counts the open handoffs of up to 100 bots of the workspace, up to 100 each: waiting, assigned and snoozed ones, those that are assigned to the caller or unread, and the caller's unread mentions in all bots. Also returns the caller's availability.",
  scope: 'account',
  method: 'GET',
  path: '/chat/inbox/handoff-counts',
  table: 'reads',
  partitions: { reads: ['agents', 'workspaces', 'workspaceLists', 'mentions'] },
  query: z.object({ botIds: z.optional(oneOrMore(text(200))) }),
  output: z.object({
    counts: z.object({
      waiting: z.number(),
      served: z.number(),
      mine: z.number(),
      unread: z.number(),
      snoozed: z.number(),
      mentions: z.number(),
    }),
    availability: z.optional(z.enum(AVAILABILITIES)),
    countedAt: dateTime(),
    isPartial: z.boolean(),
  }),
  statuses: [200],

  handle: async call => {
    const { input, workspaceId, nowMs } = call;
    const memberId = call.account.id;
    const [{ botIds, isPartial }, mentions, availability] = await Promise.all([
      inboxBots(call, input.botIds),
      countUnreadMentions(workspaceId, memberId, MAX_COUNT),
      ownAvailability(workspaceId, call.account),
    ]);
    const [waiting, served, mine, unread, snoozed] = await countInbox(
      botIds,
      [{ status: 'waiting' }, { status: 'served' }, { memberId }, { memberId, isUnread: true }, { status: 'snoozed' }],
      MAX_COUNT,
    );
    return ok({
      counts: { waiting: waiting!, served: served!, mine: mine!, unread: unread!, snoozed: snoozed!, mentions },
      availability,
      countedAt: iso(nowMs),
      isPartial,
    });
  },
});
