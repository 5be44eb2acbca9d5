import * as z from 'zod/mini';
import { chatOperation } from '#shared/api/chat/operation.ts';
import { ok } from '#shared/api/operation.ts';
import { dropParticipant, listUserConversations } from '#shared/dynamodb/chat/participants.ts';
import { deleteUser as remove } from '#shared/dynamodb/chat/users.ts';

/** A transaction takes 100 writes. Further participations are swept by the reaction to the user's end. */
const PARTICIPATIONS_AT_ONCE = 99;

export const deleteUser = chatOperation({
  name: 'deleteUser',
  summary: 'Deletes the user that the key names, and ends his part in all conversations. What he said stays.',
  method: 'DELETE',
  path: '/users/me',
  access: { who: 'user' },
  table: 'writes',
  output: z.object({}),
  statuses: [200],

  handle: async ({ webhook, botId, caller, commit }) => {
    const participations = await listUserConversations(botId, caller.userId, { limit: PARTICIPATIONS_AT_ONCE });
    return commit(ok({}), [
      remove(webhook, caller.userId, caller.shownId),
      ...participations.map(participant => dropParticipant(botId, participant)),
    ]);
  },
});
