import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import {
  countHandoffs as countListed,
  type HandoffFilters,
  MAX_COUNT,
} from '#shared/storage/dynamodb/chat/handoffLists.ts';

export const countHandoffs = botChatOperation({
  name: 'countHandoffs',
  summary:
    'Counts open handoffs, up to 100 each: waiting, assigned and snoozed ones, and those that are assigned to the caller or unread.',
  scope: 'bot',
  method: 'GET',
  path: '/chat/handoff-counts',
  table: 'reads',
  output: z.object({
    counts: z.object({
      waiting: z.number(),
      served: z.number(),
      mine: z.number(),
      unread: z.number(),
      snoozed: z.number(),
    }),
  }),
  statuses: [200],

  handle: async ({ botId, principal }) => {
    const memberId = principal.kind === 'account' ? principal.account.id : undefined;
    const count = (filters: HandoffFilters) => countListed(botId, filters, MAX_COUNT);
    const [waiting, served, mine, unread, snoozed] = await Promise.all([
      count({ status: 'waiting' }),
      count({ status: 'served' }),
      memberId === undefined ? 0 : count({ memberId }),
      memberId === undefined ? 0 : count({ memberId, isUnread: true }),
      count({ status: 'snoozed' }),
    ]);
    return ok({ counts: { waiting, served, mine, unread, snoozed } });
  },
});
