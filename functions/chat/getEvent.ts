import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { chatOperation } from '#shared/api/operations/chat.ts';
import { notFound } from '#shared/core/errors.ts';
import { parseTimelineId } from '#shared/core/ids.ts';
import { EventView } from '#shared/domain/chat/chatViews.ts';
import { loadEvent } from '#shared/domain/chat/timelineViews.ts';
import { findEntry } from '#shared/storage/dynamodb/chat/timeline.ts';

export const getEvent = chatOperation({
  name: 'getEvent',
  summary: "Returns a custom event of one of the caller's conversations.",
  method: 'GET',
  path: '/events/{id}',
  access: { who: 'participant', of: input => parseTimelineId('evt', input.id)?.conversationId },
  table: 'reads',
  largeValues: 'reads',
  output: z.object({ event: EventView }),
  statuses: [200],

  read: ({ botId, input, conversationId }) =>
    findEntry(botId, conversationId, parseTimelineId('evt', input.id)!.position),
  handle: async ({ input, participant, read: entry }) => {
    const exists = entry?.kind === 'event' && entry.generation === participant.generation;
    if (!exists) throw notFound(`The event ${input.id}`);
    return ok({ event: await loadEvent(entry, participant) });
  },
});
