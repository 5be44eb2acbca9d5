import { newPosition, timelineId } from '#shared/core/ids.ts';
import { putNewEvent, timelineEventId } from '#shared/storage/dynamodb/chat/events.ts';
import { appendEntry } from '#shared/storage/dynamodb/chat/timeline.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';

/** Writes a message with the records that a failed delivery leaves. @returns its id */
export async function newFailedMessage(botId: string, conversationId: string, userId: string): Promise<string> {
  const position = newPosition();
  const messageId = timelineId('msg', conversationId, position);
  const event = { id: timelineEventId(conversationId, position), type: 'message_created', conversationId, messageId };
  await write([
    appendEntry(botId, conversationId, {
      kind: 'message',
      position,
      userId,
      generation: 0,
      type: 'text',
      direction: 'incoming',
      // Its event exists, so the platform creates none.
      isImported: true,
      payload: { p: '{"text":"Hello"}' },
    }),
    ...putNewEvent(botId, { ...event, userId, status: 'failed', failureReason: 'The endpoint returned 500.' }),
  ]);
  return messageId;
}
