import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { id } from '#shared/domain/botChat/botChatInputs.ts';
import { HandoffView, viewHandoff } from '#shared/domain/botChat/handoffs/handoffView.ts';
import * as handoffs from '#shared/domain/botChat/handoffs/transitions.ts';
import { HANDOFF_OUTCOMES } from '#shared/storage/dynamodb/chat/handoffs.ts';

export const endHandoff = botChatOperation({
  name: 'endHandoff',
  summary:
    'Returns a conversation to the bot, to continue or, with the outcome resolved, with a finished request. If it is assigned to another member, servedBy must name them. A closed handoff stays as it is.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/handoffs/{id}/end',
  table: 'writes',
  partitions: { appends: ['audit', 'reports'] },
  body: z.object({ servedBy: z.optional(id()), outcome: z.optional(z.enum(HANDOFF_OUTCOMES)) }),
  output: z.object({ handoff: HandoffView }),
  statuses: [200],

  handle: async call => {
    const { handoff, writes } = await handoffs.endHandoff(call, call.input.id, call.input);
    return call.commit(ok({ handoff: viewHandoff(handoff) }), writes);
  },
});
