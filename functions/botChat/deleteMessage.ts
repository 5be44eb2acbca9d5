import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { newPosition } from '#shared/core/ids.ts';
import { requireMessage } from '#shared/domain/botChat/messages/requireMessage.ts';
import { removePostponed } from '#shared/storage/dynamodb/chat/postponed.ts';
import { appendEntry, removeEntry } from '#shared/storage/dynamodb/chat/timeline.ts';

export const deleteMessage = botChatOperation({
  name: 'deleteMessage',
  summary: 'Deletes a message, or cancels a scheduled one.',
  scope: 'bot',
  method: 'DELETE',
  path: '/chat/messages/{id}',
  table: 'writes',
  output: z.object({}),
  statuses: [200],

  handle: async call => {
    const { botId, input, commit } = call;
    const { conversation, entry, isPostponed } = await requireMessage(call, input.id);
    const shown = `The message ${input.id}`;
    if (isPostponed) return commit(ok({}), [removePostponed(botId, conversation.id, entry.position, shown)]);
    return commit(ok({}), [
      removeEntry(botId, conversation.id, entry.position, shown),
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
