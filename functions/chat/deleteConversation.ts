import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { chatOperation } from '#shared/api/operations/chat.ts';
import { notFound } from '#shared/core/errors.ts';
import { isTimeLeftUntil } from '#shared/domain/messaging/isTimeLeftUntil.ts';
import { findConversation, tombstoneConversation } from '#shared/storage/dynamodb/chat/conversations.ts';
import { dropParticipant, listParticipants } from '#shared/storage/dynamodb/chat/participants.ts';
import { dropParticipants } from '#shared/storage/dynamodb/chat/participations.ts';

/** A transaction's 100 writes, less the conversation and its owner. */
const OTHERS_PER_WRITE = 98;

export const deleteConversation = chatOperation({
  name: 'deleteConversation',
  summary: 'Deletes a conversation with all of its messages, events and participants.',
  method: 'DELETE',
  path: '/conversations/{id}',
  access: { who: 'owner', of: input => input.id },
  table: 'writes',
  output: z.object({}),
  statuses: [200],

  // The stream triggers the deletion of the timeline. Removing the participants hides the conversation immediately.
  handle: async ({ botId, input, conversationId, participant: owner, nowMs, deadlineMs, commit }) => {
    const [conversation, participants] = await Promise.all([
      findConversation(botId, conversationId),
      listParticipants(botId, conversationId, { limit: OTHERS_PER_WRITE + 1 }),
    ]);
    if (conversation?.generation !== owner.generation) throw notFound(`The conversation ${input.id}`);
    const others = participants.filter(({ userId }) => userId !== owner.userId).slice(0, OTHERS_PER_WRITE);
    const answer = await commit(ok({}), [
      tombstoneConversation(botId, conversation, nowMs, input.id),
      ...[owner, ...others].map(each => dropParticipant(botId, each)),
    ]);
    // Removes the rest of a large group before the response. The sweep completes an interrupted removal.
    if (participants.length > OTHERS_PER_WRITE)
      await dropParticipants(botId, conversationId, owner.generation, isTimeLeftUntil(deadlineMs));
    return answer;
  },
});
