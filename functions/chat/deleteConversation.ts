import * as z from 'zod/mini';
import { chatOperation } from '#shared/api/chat/operation.ts';
import { ok } from '#shared/api/operation.ts';
import { tombstoneConversation } from '#shared/dynamodb/chat/conversations.ts';
import { dropParticipant, dropParticipants, listParticipants } from '#shared/dynamodb/chat/participants.ts';

/** A transaction takes 100 writes: the conversation, its owner, and these. */
const OTHERS_AT_ONCE = 98;

export const deleteConversation = chatOperation({
  name: 'deleteConversation',
  summary: 'Deletes a conversation with everything in it. Its timeline is swept by a reaction to this.',
  method: 'DELETE',
  path: '/conversations/{id}',
  access: { who: 'owner', of: input => input.id },
  table: 'writes',
  output: z.object({}),
  statuses: [200],

  // Without its participants nobody can reach the conversation any more, however long the sweep takes.
  handle: async ({ botId, input, conversationId, participant: owner, nowMs, commit }) => {
    const participants = await listParticipants(botId, conversationId, { limit: OTHERS_AT_ONCE + 1 });
    const others = participants.filter(({ userId }) => userId !== owner.userId).slice(0, OTHERS_AT_ONCE);
    const answer = await commit(ok({}), [
      tombstoneConversation(botId, conversationId, owner.generation, nowMs, input.id),
      ...[owner, ...others].map(each => dropParticipant(botId, each)),
    ]);
    // The rest of a big group, before the answer. Should this be cut short, the sweep does it a moment later.
    if (participants.length > OTHERS_AT_ONCE) await dropParticipants(botId, conversationId, owner.generation);
    return answer;
  },
});
