import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { HandoffView, viewHandoff } from '#shared/domain/botChat/handoffs/handoffView.ts';
import { setPriority } from '#shared/domain/botChat/handoffs/priority.ts';
import { HANDOFF_PRIORITIES } from '#shared/storage/dynamodb/chat/handoffs.ts';

export const setHandoffPriority = botChatOperation({
  name: 'setHandoffPriority',
  summary: 'Sets the priority of an open handoff, by which the queue is sorted before the start.',
  scope: 'bot',
  method: 'PUT',
  path: '/chat/handoffs/{id}/priority',
  table: 'writes',
  partitions: { appends: ['audit'] },
  body: z.object({ priority: z.enum(HANDOFF_PRIORITIES) }),
  output: z.object({ handoff: HandoffView }),
  statuses: [200],

  handle: async call => {
    const { handoff, writes } = await setPriority(call, call.input.id, call.input.priority);
    return call.commit(ok({ handoff: viewHandoff(handoff) }), writes);
  },
});
