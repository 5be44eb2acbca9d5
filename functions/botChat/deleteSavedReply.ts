import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { requireSavedReplyId } from '#shared/domain/botChat/savedReplyView.ts';
import { findSavedReplyScope, removeSavedReply } from '#shared/storage/dynamodb/chat/savedReplies.ts';

export const deleteSavedReply = botChatOperation({
  name: 'deleteSavedReply',
  summary: 'Deletes a saved reply of the bot or its workspace.',
  scope: 'bot',
  method: 'DELETE',
  path: '/chat/saved-replies/{id}',
  table: 'writes',
  partitions: { writes: ['savedReplies'] },
  output: z.object({}),
  statuses: [200],

  handle: async call => {
    const { id } = call.input;
    requireSavedReplyId(id);
    const scope = await findSavedReplyScope(call, id);
    return call.commit(ok({}), [removeSavedReply(call, scope, id)]);
  },
});
