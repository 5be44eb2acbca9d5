import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { HandoffView, viewHandoff } from '#shared/domain/botChat/handoffs/handoffView.ts';
import { requireHandoff } from '#shared/domain/botChat/handoffs/transitions.ts';

export const getHandoff = botChatOperation({
  name: 'getHandoff',
  summary: 'Returns a handoff.',
  scope: 'bot',
  method: 'GET',
  path: '/chat/handoffs/{id}',
  table: 'reads',
  output: z.object({ handoff: HandoffView }),
  statuses: [200],

  handle: async call => {
    const { handoff } = await requireHandoff(call, call.input.id);
    return ok({ handoff: viewHandoff(handoff) });
  },
});
