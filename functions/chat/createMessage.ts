import * as z from 'zod/mini';
import { created, MEGABYTE } from '#shared/api/operation.ts';
import { chatOperation } from '#shared/api/operations/chat.ts';
import { verbatim } from '#shared/api/verbatim.ts';
import { newPosition } from '#shared/core/ids.ts';
import { MessageView } from '#shared/domain/chat/chatViews.ts';
import { viewMessage } from '#shared/domain/chat/timelineViews.ts';
import { ExtendedPayload, Payload } from '#shared/domain/messaging/chatPayload.ts';
import { requireQuotaNow } from '#shared/domain/messaging/requireQuota.ts';
import { appendEntry } from '#shared/storage/dynamodb/chat/timeline.ts';
import { storeValue } from '#shared/storage/dynamodb/engine/largeValue.ts';

const ExtendedBody = z.object({
  payload: verbatim(ExtendedPayload),
  conversationId: z.string(),
  metadata: z.optional(z.record(z.string(), z.any())),
});

export const createMessage = chatOperation({
  name: 'createMessage',
  summary: 'Creates a message in a conversation.',
  method: 'POST',
  path: '/messages',
  access: { who: 'participant', of: input => input.conversationId },
  table: 'writes',
  largeValues: 'writes',
  payloadLimitBytes: MEGABYTE,
  // See docs/api/chat.md#message-payloads.
  body: z.strictObject({ payload: verbatim(Payload), conversationId: z.string() }),
  extendedBody: ExtendedBody,
  output: z.object({ message: MessageView }),
  statuses: [201],

  handle: async ({ webhook, botId, input, participant, nowMs, commit }) => {
    await requireQuotaNow(webhook, nowMs);
    const { payload, metadata } = input as z.infer<typeof ExtendedBody>;
    const stored = await storeValue(botId, metadata === undefined ? payload : { payload, metadata });
    const entry = {
      kind: 'message' as const,
      // Assigned directly before the write, because listeners and lists order by position.
      position: newPosition(),
      userId: participant.userId,
      foreignUserId: participant.foreignUserId,
      generation: participant.generation,
      payload: stored,
      hasMetadata: metadata !== undefined || undefined,
    };
    const message = viewMessage(entry, participant, { payload, metadata });
    return commit(created({ message }), [appendEntry(botId, participant.conversationId, entry)]);
  },
});
