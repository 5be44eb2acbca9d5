import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { chatOperation } from '#shared/api/operations/chat.ts';
import { notFound } from '#shared/core/errors.ts';
import { parseTimelineId } from '#shared/core/ids.ts';
import { showRead } from '#shared/storage/dynamodb/chat/presence.ts';
import { AlreadyRead, advanceReadMark, isReadBy } from '#shared/storage/dynamodb/chat/readMarks.ts';
import { findEntry } from '#shared/storage/dynamodb/chat/timeline.ts';

export const markRead = chatOperation({
  name: 'markRead',
  summary: 'Marks messages as read up to the given one. The mark only moves forward. Older messages have no effect.',
  method: 'PUT',
  path: '/conversations/{id}/read',
  access: { who: 'participant', of: input => input.id },
  table: 'writes',
  body: z.object({ messageId: z.string() }),
  output: z.object({}),
  statuses: [200],

  read: async ({ botId, input, conversationId }) => {
    const message = parseTimelineId('msg', input.messageId);
    return message?.conversationId === conversationId ? findEntry(botId, conversationId, message.position) : undefined;
  },
  handle: async ({ botId, input: { messageId }, participant, read: message, nowMs, commit }) => {
    if (message?.kind !== 'message' || message.generation !== participant.generation) {
      throw notFound(`The message ${messageId}`);
    }
    if (isReadBy(participant, messageId)) return commit(ok({}), []);
    try {
      return await commit(ok({}), [
        advanceReadMark(botId, participant, { messageId, readAtMs: nowMs }),
        showRead(botId, participant, messageId, nowMs),
      ]);
    } catch (error) {
      // Another device marked a later message concurrently.
      if (error instanceof AlreadyRead) return ok({});
      throw error;
    }
  },
});
