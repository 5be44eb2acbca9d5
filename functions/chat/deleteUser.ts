import * as z from 'zod/mini';
import { chatOperation } from '#shared/api/chat/operation.ts';
import { ok } from '#shared/api/operation.ts';
import { dropParticipant, listUserConversations } from '#shared/dynamodb/chat/participants.ts';
import * as users from '#shared/dynamodb/chat/users.ts';

/** A transaction takes 100 writes. The sweep of the deleted user removes further participations. */
const PARTICIPATIONS_AT_ONCE = 99;

export const deleteUser = chatOperation({
  name: 'deleteUser',
  summary: 'Deletes the calling user and removes them from all conversations. Their messages stay.',
  method: 'DELETE',
  path: '/users/me',
  access: { who: 'user' },
  table: 'writes',
  output: z.object({}),
  statuses: [200],

  handle: async ({ webhook, botId, caller, commit }) => {
    const participations = await listUserConversations(botId, caller.userId, { limit: PARTICIPATIONS_AT_ONCE });
    return commit(ok({}), [
      users.deleteUser(webhook, caller.userId, caller.shownId),
      ...participations.map(participant => dropParticipant(botId, participant)),
    ]);
  },
});
