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
import { changeSavedReply } from '#shared/storage/dynamodb/chat/savedReplies.ts';

export const updateSavedReply = botChatOperation({
  name: 'updateSavedReply',
  summary: 'Updates the name or the text of a saved reply.',
  scope: 'bot',
  method: 'PUT',
  path: '/chat/saved-replies/{id}',
  table: 'writes',
  partitions: { appends: ['savedReplies'] },
  isVersioned: true,
  body: z.partial(z.object(savedReplyFields)),
  output: z.object({ savedReply: SavedReplyView }),
  statuses: [200],

  handle: async ({ botId, input: { id, name, text }, ifMatch, nowMs }) => {
    requireSavedReplyId(id);
    const ifVersion = ifMatch === undefined ? undefined : Number(ifMatch);
    if (Number.isNaN(ifVersion)) throw versionMismatch();
    const fields = {
      ...(name === undefined ? {} : { name }),
      ...(text === undefined ? {} : { text }),
      updatedAtMs: nowMs,
    };
    const reply = await changeSavedReply(botId, id, fields, { ifVersion, onOtherVersion: versionMismatch });
    return { ...ok({ savedReply: viewSavedReply(reply) }), headers: etag(reply.version) };
  },
});
