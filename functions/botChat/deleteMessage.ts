import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/platform/operation.ts';
import { requireMessage } from '#shared/botChat/messages.ts';
import { appendEntry, removeEntry, removePostponed } from '#shared/dynamodb/chat/timeline.ts';
import { newPosition } from '#shared/ids.ts';

export const deleteMessage = botChatOperation({
  name: 'deleteMessage',
  summary: 'Takes a message back; one that waits for its time will not be said.',
  scope: 'bot',
  method: 'DELETE',
  path: '/chat/messages/{id}',
  table: 'writes',
  output: z.object({}),
  statuses: [200],

  handle: async call => {
    const { botId, input, commit } = call;
    const { conversation, entry, isPostponed } = await requireMessage(call, input.id);
    const what = `The message ${input.id}`;
    if (isPostponed) return commit(ok({}), [removePostponed(botId, conversation.id, entry.position, what)]);
    return commit(ok({}), [
      removeEntry(botId, conversation.id, entry.position, what),
      appendEntry(botId, conversation.id, {
        kind: 'message_deleted',
        position: newPosition(),
        userId: entry.userId,
        foreignUserId: entry.foreignUserId,
        generation: conversation.generation,
        messageId: input.id,
      }),
    ]);
  },
});
