import * as z from 'zod/mini';
import { MEGABYTE, ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { requireVersion } from '#shared/api/platform/requireVersion.ts';
import { tagChanges } from '#shared/api/platform/tagInputs.ts';
import { ApiError, notFound } from '#shared/core/errors.ts';
import { newPosition } from '#shared/core/ids.ts';
import { changesOf } from '#shared/core/mapChanges.ts';
import { anything } from '#shared/domain/botChat/botChatInputs.ts';
import { requireMessage } from '#shared/domain/botChat/messages/requireMessage.ts';
import { contentOf, loadMessage, MessageView } from '#shared/domain/messaging/botViews/messageView.ts';
import { etag } from '#shared/domain/messaging/botViews/viewFields.ts';
import { authorOf, storedNames } from '#shared/domain/messaging/callerScope.ts';
import { ENTRY } from '#shared/storage/dynamodb/chat/entry.ts';
import { appendEntry, changeEntry, taggedMessage } from '#shared/storage/dynamodb/chat/timeline.ts';
import { storeValue } from '#shared/storage/dynamodb/engine/largeValue.ts';
import { WriteConflict, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { tagConditions } from '#shared/storage/dynamodb/tags/tagConditions.ts';
import { tagWrites } from '#shared/storage/dynamodb/tags/tags.ts';

export const updateMessage = botChatOperation({
  name: 'updateMessage',
  summary:
    "Updates a message's tags key by key, or its payload, but not its type. Listeners receive a new payload. Does not invoke the bot.",
  scope: 'bot',
  method: 'PUT',
  path: '/chat/messages/{id}',
  table: 'writes',
  largeValues: 'writes',
  isVersioned: true,
  payloadLimitBytes: MEGABYTE,
  body: z.object({ tags: z.optional(tagChanges()), payload: z.optional(anything()) }),
  output: z.object({ message: MessageView }),
  statuses: [200],

  handle: async call => {
    const { botId, input, nowMs, ifMatch } = call;
    const { conversation, entry, isPostponed } = await requireMessage(call, input.id);
    if (isPostponed) {
      throw new ApiError(
        'ResourceLockedConflict',
        'A scheduled message cannot be updated. Delete it and schedule another.',
      );
    }
    const ifVersion = requireVersion(ifMatch, entry.version);
    const tags = changesOf(storedNames(call, input.tags ?? {}), entry.tags ?? {}, { name: 'tags' });
    await write(await tagWrites(botId, taggedMessage(conversation.id, entry.position), tags.added));
    const changed = await changeEntry(
      botId,
      conversation.id,
      entry.position,
      {
        tags: tags.changes,
        by: authorOf(call),
        conditions: tagConditions({ [ENTRY.tags]: tags }),
        ...(input.payload && { payload: await storeValue(botId, input.payload), type: (await contentOf(entry)).type }),
      },
      {
        before: entry,
        nowMs,
        ifVersion,
        onRefused: existing => (existing ? new WriteConflict() : notFound(`The message ${input.id}`)),
      },
    );
    // Listeners load the current message, so the order of concurrent changes does not matter. After a crash, the
    // caller's retry appends the entry.
    if (input.payload) {
      await write([
        appendEntry(botId, conversation.id, {
          kind: 'message_updated',
          position: newPosition(),
          userId: entry.userId,
          foreignUserId: entry.foreignUserId,
          generation: conversation.generation,
          messageId: input.id,
        }),
      ]);
    }
    return { ...ok({ message: await loadMessage(call, conversation.id, changed) }), headers: etag(changed.version) };
  },
});
