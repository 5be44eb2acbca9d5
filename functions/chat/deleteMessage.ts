import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { chatOperation } from '#shared/api/operations/chat.ts';
import { newPosition, parseTimelineId } from '#shared/core/ids.ts';
import { authorOf, readMessage } from '#shared/domain/chat/readMessage.ts';
import { appendEntry, removeEntry } from '#shared/storage/dynamodb/chat/timeline.ts';

export const deleteMessage = chatOperation({
  name: 'deleteMessage',
  summary: 'Deletes a message of the caller.',
  method: 'DELETE',
  path: '/messages/{id}',
  access: { who: 'author', of: input => parseTimelineId('msg', input.id)?.conversationId, authorOf },
  table: 'writes',
  output: z.object({}),
  statuses: [200],

  read: readMessage,
  handle: async ({ botId, input, participant, read: message, commit }) =>
    commit(ok({}), [
      removeEntry(botId, participant.conversationId, message.position, `The message ${input.id}`),
      appendEntry(botId, participant.conversationId, {
        kind: 'message_deleted',
        position: newPosition(),
        userId: message.userId,
        foreignUserId: message.foreignUserId,
        generation: participant.generation,
        messageId: input.id,
      }),
    ]),
});
