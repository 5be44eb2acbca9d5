import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { id } from '#shared/domain/botChat/botChatInputs.ts';
import { HandoffView, viewHandoff } from '#shared/domain/botChat/handoffs/handoffView.ts';
import * as snoozes from '#shared/domain/botChat/handoffs/snooze.ts';

export const snoozeHandoff = botChatOperation({
  name: 'snoozeHandoff',
  summary:
    'Takes an open conversation out of the lists until a time, or until a user writes. Null ends the snooze. If the conversation is assigned to another member, servedBy must name them.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/handoffs/{id}/snooze',
  table: 'writes',
  partitions: { appends: ['audit'] },
  body: z.object({ until: z.nullable(z.iso.datetime({ offset: true })), servedBy: z.optional(id()) }),
  output: z.object({ handoff: HandoffView }),
  statuses: [200],

  handle: async call => {
    const { id: handoffId, until, servedBy } = call.input;
    const untilMs = until === null ? null : Date.parse(until);
    const { handoff, writes } = await snoozes.snoozeHandoff(call, handoffId, { untilMs, servedBy });
    return call.commit(ok({ handoff: viewHandoff(handoff) }), writes);
  },
});
