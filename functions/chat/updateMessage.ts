import * as z from 'zod/mini';
import { MEGABYTE, ok } from '#shared/api/operation.ts';
import { chatOperation } from '#shared/api/operations/chat.ts';
import { verbatim } from '#shared/api/verbatim.ts';
import { newPosition, parseTimelineId } from '#shared/core/ids.ts';
import { MessageView } from '#shared/domain/chat/chatViews.ts';
import { authorOf, readMessage } from '#shared/domain/chat/readMessage.ts';
import { loadMessage } from '#shared/domain/chat/timelineViews.ts';
import { ExtendedPayload, Payload } from '#shared/domain/messaging/chatPayload.ts';
import { replaceContent } from '#shared/storage/dynamodb/chat/messageChanges.ts';
import { appendEntry } from '#shared/storage/dynamodb/chat/timeline.ts';
import { storeValue } from '#shared/storage/dynamodb/engine/largeValue.ts';

const ExtendedBody = z.strictObject({
  payload: z.optional(verbatim(ExtendedPayload)),
  metadata: z.optional(z.record(z.string(), z.any())),
});

export const updateMessage = chatOperation({
  name: 'updateMessage',
  summary:
    'Replaces the payload or metadata of a message of the caller. Listeners receive a signal. The bot is not invoked.',
  method: 'PUT',
  path: '/messages/{id}',
  access: { who: 'author', of: input => parseTimelineId('msg', input.id)?.conversationId, authorOf },
  table: 'writes',
  largeValues: 'writes',
  payloadLimitBytes: MEGABYTE,
  body: z.strictObject({ payload: z.optional(verbatim(Payload)) }),
  extendedBody: ExtendedBody,
  output: z.object({ message: MessageView }),
  statuses: [200],

  read: readMessage,
  handle: async ({ botId, input, participant, read: entry, nowMs, commit }) => {
    const given = input as z.infer<typeof ExtendedBody>;
    const before = await loadMessage(entry, participant);
    const { payload, metadata } = { ...before, ...given };
    const hasMetadata = metadata !== undefined;
    const stored = await storeValue(botId, hasMetadata ? { payload, metadata } : payload);
    const { conversationId, generation } = participant;
    const shown = `The message ${input.id}`;
    const changed = { ...before, payload, metadata };
    return commit(ok({ message: changed }), [
      replaceContent(
        botId,
        { conversationId, position: entry.position },
        { payload: stored, hasMetadata },
        { nowMs, shown },
      ),
      appendEntry(botId, conversationId, {
        kind: 'message_updated',
        position: newPosition(),
        userId: entry.userId,
        foreignUserId: entry.foreignUserId,
        generation,
        messageId: input.id,
      }),
    ]);
  },
});
