import * as z from 'zod/mini';
import { created } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { newSavedReplyId } from '#shared/core/ids.ts';
import { SavedReplyView, savedReplyFields, viewSavedReply } from '#shared/domain/botChat/savedReplyView.ts';
import { putNewSavedReply, SAVED_REPLY_SCOPES } from '#shared/storage/dynamodb/chat/savedReplies.ts';

export const createSavedReply = botChatOperation({
  name: 'createSavedReply',
  summary:
    'Creates a saved reply, a text that members reuse in conversations of the bot or of all bots of the workspace.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/saved-replies',
  table: 'writes',
  partitions: { appends: ['savedReplies'] },
  body: z.object({ ...savedReplyFields, scope: z._default(z.enum(SAVED_REPLY_SCOPES), 'bot') }),
  output: z.object({ savedReply: SavedReplyView }),
  statuses: [201],

  handle: async call => {
    const { input, nowMs, commit } = call;
    const { name, text, scope } = input;
    const times = { createdAtMs: nowMs, updatedAtMs: nowMs };
    const reply = { id: newSavedReplyId(nowMs), name, text, ...times, version: 1 };
    return commit(created({ savedReply: viewSavedReply(reply, scope) }), [putNewSavedReply(call, scope, reply)]);
  },
});
