import * as z from 'zod/mini';
import { chatOperation } from '#shared/api/chat/operation.ts';
import { ok } from '#shared/api/operation.ts';
import { showTyping as show } from '#shared/dynamodb/chat/presence.ts';

export const showTyping = chatOperation({
  name: 'showTyping',
  summary: 'Shows those who listen to a conversation that the caller types, or that he stopped. It is not kept.',
  method: 'POST',
  path: '/conversations/{id}/typing',
  access: { who: 'participant', of: input => input.id },
  table: 'writes',
  body: z.object({ isTyping: z.optional(z.boolean()) }),
  output: z.object({}),
  statuses: [200],

  handle: async ({ botId, input: { isTyping = true }, participant, nowMs, commit }) =>
    commit(ok({}), [show(botId, participant, isTyping, nowMs)]),
});
