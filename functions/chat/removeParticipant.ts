import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { chatOperation } from '#shared/api/operations/chat.ts';
import { notFound } from '#shared/core/errors.ts';
import { newPosition, resolveUserId } from '#shared/core/ids.ts';
import * as participants from '#shared/storage/dynamodb/chat/participants.ts';
import { appendEntry } from '#shared/storage/dynamodb/chat/timeline.ts';

export const removeParticipant = chatOperation({
  name: 'removeParticipant',
  summary:
    'Removes a participant from a conversation, as its owner or as the participant. The owner cannot be removed.',
  method: 'DELETE',
  path: '/conversations/{conversationId}/participants/{userId}',
  access: { who: 'ownerOrSelf', of: input => input.conversationId, self: input => input.userId },
  table: 'writes',
  output: z.object({}),
  statuses: [200],

  handle: async ({ webhook, botId, input, conversationId, participant: caller, commit }) => {
    const userId = resolveUserId(webhook.webhookId, input.userId);
    const leaving = userId && (await participants.findParticipant(botId, conversationId, userId));
    if (!leaving || leaving.generation !== caller.generation) throw notFound(`The participant ${input.userId}`);

    return commit(ok({}), [
      ...participants.removeParticipant(botId, leaving, input.userId),
      appendEntry(botId, conversationId, {
        kind: 'participant_removed',
        position: newPosition(),
        userId: leaving.userId,
        foreignUserId: leaving.foreignUserId,
        generation: caller.generation,
      }),
    ]);
  },
});
