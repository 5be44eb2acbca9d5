import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { id } from '#shared/domain/botChat/botChatInputs.ts';
import { HandoffView, viewHandoff } from '#shared/domain/botChat/handoffs/handoffView.ts';
import * as handoffs from '#shared/domain/botChat/handoffs/transitions.ts';

export const assignHandoff = botChatOperation({
  name: 'assignHandoff',
  summary:
    'Assigns a conversation to a member, by default the caller. Null returns it to the waiting ones. If it is assigned to another member, servedBy must name them.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/handoffs/{id}/assign',
  table: 'writes',
  partitions: { appends: ['audit', 'reports'] },
  body: z.object({ accountId: z.optional(z.nullable(id())), servedBy: z.optional(id()) }),
  output: z.object({ handoff: HandoffView }),
  statuses: [200],

  handle: async call => {
    const { handoff, writes } = await handoffs.assignHandoff(call, call.input.id, call.input);
    return call.commit(ok({ handoff: viewHandoff(handoff) }), writes);
  },
});
