import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { chatOperation } from '#shared/api/operations/chat.ts';
import { parseTimelineId } from '#shared/core/ids.ts';
import { readMessage } from '#shared/domain/chat/readMessage.ts';
import { setFeedback } from '#shared/storage/dynamodb/chat/messageChanges.ts';

export const removeMessageFeedback = chatOperation({
  name: 'removeMessageFeedback',
  summary: 'Removes the feedback on a message, if there is any.',
  method: 'DELETE',
  path: '/messages/{id}/feedback',
  access: { who: 'participant', of: input => parseTimelineId('msg', input.id)?.conversationId },
  table: 'writes',
  output: z.object({}),
  statuses: [200],

  read: readMessage,
  handle: async ({ botId, input, participant, read: { position }, commit }) => {
    const ref = { conversationId: participant.conversationId, position };
    return commit(ok({}), [setFeedback(botId, ref, undefined, `The message ${input.id}`)]);
  },
});
