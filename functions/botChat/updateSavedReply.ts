import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { versionMismatch } from '#shared/api/platform/requireVersion.ts';
import {
  requireSavedReplyId,
  SavedReplyView,
  savedReplyFields,
  viewSavedReply,
} from '#shared/domain/botChat/savedReplyView.ts';
import { etag } from '#shared/domain/messaging/botViews/viewFields.ts';
import { changeSavedReply, findSavedReplyScope } from '#shared/storage/dynamodb/chat/savedReplies.ts';

export const updateSavedReply = botChatOperation({
  name: 'updateSavedReply',
  summary: 'Updates the name or the text of a saved reply of the bot or its workspace.',
  scope: 'bot',
  method: 'PUT',
  path: '/chat/saved-replies/{id}',
  table: 'writes',
  partitions: { reads: ['savedReplies'], appends: ['savedReplies'] },
  isVersioned: true,
  body: z.partial(z.object(savedReplyFields)),
  output: z.object({ savedReply: SavedReplyView }),
  statuses: [200],

  handle: async call => {
    const { input, ifMatch, nowMs } = call;
    const { id, name, text } = input;
    requireSavedReplyId(id);
    const ifVersion = ifMatch === undefined ? undefined : Number(ifMatch);
    if (Number.isNaN(ifVersion)) throw versionMismatch();
    const fields = {
      ...(name === undefined ? {} : { name }),
      ...(text === undefined ? {} : { text }),
      updatedAtMs: nowMs,
    };
    const scope = await findSavedReplyScope(call, id);
    const reply = await changeSavedReply(call, scope, id, fields, { ifVersion, onOtherVersion: versionMismatch });
    return { ...ok({ savedReply: viewSavedReply(reply, scope) }), headers: etag(reply.version) };
  },
});
