import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { chatOperation } from '#shared/api/operations/chat.ts';
import { parseTimelineId } from '#shared/core/ids.ts';
import { text } from '#shared/core/text.ts';
import { readMessage } from '#shared/domain/chat/readMessage.ts';
import { setFeedback } from '#shared/storage/dynamodb/chat/messageChanges.ts';

export const addMessageFeedback = chatOperation({
  name: 'addMessageFeedback',
  summary:
    "Records a participant's feedback on a message. It replaces earlier feedback, and the bot receives it as tags.",
  method: 'PUT',
  path: '/messages/{id}/feedback',
  access: { who: 'participant', of: input => parseTimelineId('msg', input.id)?.conversationId },
  table: 'writes',
  body: z.object({ value: z.enum(['positive', 'negative']), comment: z.optional(text(1_000)) }),
  output: z.object({}),
  statuses: [200],

  read: readMessage,
  handle: async ({ botId, input, participant, read: { position }, commit }) => {
    const { id, value, comment } = input;
    const ref = { conversationId: participant.conversationId, position };
    return commit(ok({}), [setFeedback(botId, ref, { value, comment }, `The message ${id}`)]);
  },
});
