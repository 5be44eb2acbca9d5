import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { requireSavedReplyId } from '#shared/domain/botChat/savedReplyView.ts';
import { removeSavedReply } from '#shared/storage/dynamodb/chat/savedReplies.ts';

export const deleteSavedReply = botChatOperation({
  name: 'deleteSavedReply',
  summary: 'Deletes a saved reply.',
  scope: 'bot',
  method: 'DELETE',
  path: '/chat/saved-replies/{id}',
  table: 'writes',
  partitions: { writes: ['savedReplies'] },
  output: z.object({}),
  statuses: [200],

  handle: async ({ botId, input: { id }, commit }) => {
    requireSavedReplyId(id);
    return commit(ok({}), [removeSavedReply(botId, id)]);
  },
});
