import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { chatOperation } from '#shared/api/operations/chat.ts';
import { notFound } from '#shared/core/errors.ts';
import { parseTimelineId } from '#shared/core/ids.ts';
import { MessageView } from '#shared/domain/chat/chatViews.ts';
import { loadMessage } from '#shared/domain/chat/timelineViews.ts';
import { findEntry } from '#shared/storage/dynamodb/chat/timeline.ts';

export const getMessage = chatOperation({
  name: 'getMessage',
  summary: "Returns a message of one of the caller's conversations.",
  method: 'GET',
  path: '/messages/{id}',
  access: { who: 'participant', of: input => parseTimelineId('msg', input.id)?.conversationId },
  table: 'reads',
  largeValues: 'reads',
  output: z.object({ message: MessageView }),
  statuses: [200],

  read: ({ botId, input, conversationId }) =>
    findEntry(botId, conversationId, parseTimelineId('msg', input.id)!.position),
  handle: async ({ input, participant, read: entry }) => {
    const exists = entry?.kind === 'message' && entry.generation === participant.generation;
    if (!exists) throw notFound(`The message ${input.id}`);
    return ok({ message: await loadMessage(entry, participant) });
  },
});
