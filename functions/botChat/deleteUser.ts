import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/platform/operation.ts';
import { refuseBotUser, requireUser } from '#shared/botChat/users.ts';
import { dropParticipant, listUserConversations } from '#shared/dynamodb/chat/participants.ts';
import { deleteUser as remove } from '#shared/dynamodb/chat/users.ts';

/** A transaction takes 100 writes. Further participations are swept by the reaction to the user's end. */
const PARTICIPATIONS_AT_ONCE = 99;

export const deleteUser = botChatOperation({
  name: 'deleteUser',
  summary: 'Deletes a user, and ends his part in all conversations. What he said stays.',
  scope: 'bot',
  method: 'DELETE',
  path: '/chat/users/{id}',
  table: 'writes',
  output: z.object({}),
  statuses: [200],

  handle: async call => {
    const { botId, input, commit } = call;
    refuseBotUser(call, input.id);
    const { webhookId } = await requireUser(call, input.id);
    const participations = await listUserConversations(botId, input.id, { limit: PARTICIPATIONS_AT_ONCE });
    return commit(ok({}), [
      remove({ botId, webhookId }, input.id, input.id),
      ...participations.map(participant => dropParticipant(botId, participant)),
    ]);
  },
});
