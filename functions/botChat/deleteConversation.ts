import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { requireConversation } from '#shared/domain/botChat/botChatConversations.ts';
import { isTimeLeftUntil } from '#shared/domain/messaging/isTimeLeftUntil.ts';
import { tombstoneConversation } from '#shared/storage/dynamodb/chat/conversations.ts';
import { dropParticipant, listParticipants } from '#shared/storage/dynamodb/chat/participants.ts';
import { dropParticipants } from '#shared/storage/dynamodb/chat/participations.ts';

/** A transaction has at most 100 writes, including the conversation and the idempotency record. */
const PARTICIPANTS_PER_WRITE = 98;

export const deleteConversation = botChatOperation({
  name: 'deleteConversation',
  summary: 'Deletes a conversation with all of its messages, events and participants.',
  scope: 'bot',
  method: 'DELETE',
  path: '/chat/conversations/{id}',
  table: 'writes',
  output: z.object({}),
  statuses: [200],

  // The stream starts the sweep of the timeline. Removing the participants hides the conversation from chat users
  // immediately.
  handle: async call => {
    const { botId, input, nowMs, deadlineMs, commit } = call;
    const conversation = await requireConversation(call, input.id);
    const { id, generation } = conversation;
    const participants = await listParticipants(botId, id, { limit: PARTICIPANTS_PER_WRITE + 1 });
    const answer = await commit(ok({}), [
      tombstoneConversation(botId, conversation, nowMs, id),
      ...participants.slice(0, PARTICIPANTS_PER_WRITE).map(each => dropParticipant(botId, each)),
    ]);
    if (participants.length > PARTICIPANTS_PER_WRITE)
      await dropParticipants(botId, id, generation, isTimeLeftUntil(deadlineMs));
    return answer;
  },
});
