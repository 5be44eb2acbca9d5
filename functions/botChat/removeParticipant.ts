import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { notFound } from '#shared/core/errors.ts';
import { isUserId, newPosition } from '#shared/core/ids.ts';
import { requireConversation } from '#shared/domain/botChat/botChatConversations.ts';
import * as participants from '#shared/storage/dynamodb/chat/participants.ts';
import { appendEntry } from '#shared/storage/dynamodb/chat/timeline.ts';

export const removeParticipant = botChatOperation({
  name: 'removeParticipant',
  summary: 'Removes a user from a conversation. The owner of a conversation of the chat interface cannot be removed.',
  scope: 'bot',
  method: 'DELETE',
  path: '/chat/conversations/{id}/participants/{userId}',
  table: 'writes',
  output: z.object({}),
  statuses: [200],

  handle: async call => {
    const { botId, input, commit } = call;
    const [{ id, generation }, leaving] = await Promise.all([
      requireConversation(call, input.id),
      isUserId(input.userId) ? participants.findParticipant(botId, input.id, input.userId) : undefined,
    ]);
    if (leaving?.generation !== generation) throw notFound(`The participant ${input.userId}`);
    return commit(ok({}), [
      ...participants.removeParticipant(botId, leaving, input.userId),
      appendEntry(botId, id, {
        kind: 'participant_removed',
        position: newPosition(),
        userId: leaving.userId,
        foreignUserId: leaving.foreignUserId,
        generation,
      }),
    ]);
  },
});
