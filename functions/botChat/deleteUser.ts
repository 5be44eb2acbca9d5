import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/platform/operation.ts';
import { refuseBotUser, requireUser } from '#shared/botChat/users.ts';
import { dropParticipant, listUserConversations } from '#shared/dynamodb/chat/participants.ts';
import * as users from '#shared/dynamodb/chat/users.ts';

/** A transaction takes 100 writes. The sweep of the deleted user removes further participations. */
const PARTICIPATIONS_AT_ONCE = 99;

export const deleteUser = botChatOperation({
  name: 'deleteUser',
  summary: 'Deletes a user and removes them from all conversations. Their messages stay.',
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
      users.deleteUser({ botId, webhookId }, input.id, input.id),
      ...participations.map(participant => dropParticipant(botId, participant)),
    ]);
  },
});
