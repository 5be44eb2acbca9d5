import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { chatOperation } from '#shared/api/operations/chat.ts';
import * as presence from '#shared/storage/dynamodb/chat/presence.ts';

export const showTyping = chatOperation({
  name: 'showTyping',
  summary: 'Signals to listeners that the caller started or stopped typing. The signal is not stored.',
  method: 'POST',
  path: '/conversations/{id}/typing',
  access: { who: 'participant', of: input => input.id },
  table: 'writes',
  body: z.object({ isTyping: z.optional(z.boolean()) }),
  output: z.object({}),
  statuses: [200],

  handle: async ({ botId, input: { isTyping = true }, participant, nowMs, commit }) =>
    commit(ok({}), [presence.showTyping(botId, participant, isTyping, nowMs)]),
});
