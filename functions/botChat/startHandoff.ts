import * as z from 'zod/mini';
import { createdOrFound } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { text } from '#shared/core/text.ts';
import { id } from '#shared/domain/botChat/botChatInputs.ts';
import { HandoffView, viewHandoff } from '#shared/domain/botChat/handoffs/handoffView.ts';
import * as handoffs from '#shared/domain/botChat/handoffs/transitions.ts';
import { HANDOFF_PRIORITIES } from '#shared/storage/dynamodb/chat/handoffs.ts';

export const startHandoff = botChatOperation({
  name: 'startHandoff',
  summary:
    'Hands a conversation over to members, or returns its open handoff. With accountId, it is assigned to that member; otherwise it waits for one.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/handoffs',
  table: 'writes',
  partitions: { appends: ['audit', 'reports'] },
  body: z.object({
    conversationId: id(),
    reason: z.optional(text(handoffs.REASON_LENGTH)),
    priority: z.optional(z.enum(HANDOFF_PRIORITIES)),
    accountId: z.optional(id()),
  }),
  output: z.object({ handoff: HandoffView, meta: z.object({ created: z.boolean() }) }),
  statuses: [201, 200],

  handle: async call => {
    const { handoff, isNew, writes } = await handoffs.startHandoff(call, call.input);
    return call.commit(createdOrFound(isNew, { handoff: viewHandoff(handoff) }), writes);
  },
});
