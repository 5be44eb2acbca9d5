import * as z from 'zod/mini';
import { created, MEGABYTE } from '#shared/api/operation.ts';
import { chatOperation } from '#shared/api/operations/chat.ts';
import { verbatim } from '#shared/api/verbatim.ts';
import { newPosition } from '#shared/core/ids.ts';
import { EventView } from '#shared/domain/chat/chatViews.ts';
import { viewEvent } from '#shared/domain/chat/timelineViews.ts';
import { requireQuotaNow } from '#shared/domain/messaging/requireQuota.ts';
import { appendEntry } from '#shared/storage/dynamodb/chat/timeline.ts';
import { storeValue } from '#shared/storage/dynamodb/engine/largeValue.ts';

export const createEvent = chatOperation({
  name: 'createEvent',
  summary: 'Creates a custom event with any payload in a conversation.',
  method: 'POST',
  path: '/events',
  access: { who: 'participant', of: input => input.conversationId },
  table: 'writes',
  largeValues: 'writes',
  payloadLimitBytes: MEGABYTE,
  body: z.object({ payload: verbatim(z.record(z.string(), z.any())), conversationId: z.string() }),
  output: z.object({ event: EventView }),
  statuses: [201],

  handle: async ({ webhook, botId, input, participant, nowMs, commit }) => {
    await requireQuotaNow(webhook, nowMs);
    const payload = await storeValue(botId, input.payload);
    const entry = {
      kind: 'event' as const,
      // Assigned directly before the write: see `createMessage.ts`.
      position: newPosition(),
      userId: participant.userId,
      foreignUserId: participant.foreignUserId,
      generation: participant.generation,
      payload,
    };
    const event = viewEvent(entry, participant, input.payload);
    return commit(created({ event }), [appendEntry(botId, participant.conversationId, entry)]);
  },
});
