import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { requireAssignee } from '#shared/domain/botChat/handoffs/reply.ts';
import { showTyping } from '#shared/storage/dynamodb/chat/presence.ts';

export const showTypingInHandoff = botChatOperation({
  name: 'showTypingInHandoff',
  summary: 'Signals to end users that the assignee of a conversation is typing, or has stopped.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/handoffs/{id}/typing',
  table: 'writes',
  body: z.object({ isTyping: z.optional(z.boolean()) }),
  output: z.object({}),
  statuses: [200],

  handle: async call => {
    const { id, isTyping = true } = call.input;
    const { handoff, member } = await requireAssignee(call, id);
    const author = {
      conversationId: handoff.conversationId,
      userId: member.userId,
      generation: handoff.generation ?? 0,
      isMember: true,
    };
    return call.commit(ok({}), [showTyping(call.botId, author, isTyping, call.nowMs)]);
  },
});
