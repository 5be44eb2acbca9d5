import { clock } from '#shared/core/clock.ts';
import { parseTimelineId } from '#shared/core/ids.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { MESSAGE_CREATED } from '#shared/domain/messaging/botViews/eventPayload.ts';
import { type MessageStatus, showStatus } from '#shared/storage/dynamodb/chat/presence.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { type Delivery, isOutgoing } from './deliveryRecords.ts';
import type { Recipient } from './prepare.ts';

/** Shows a message's author the status of its delivery (docs/api/chat.md#message-failed). */
export async function showMessageStatus(
  { botId }: Pick<Recipient, 'botId'>,
  delivery: Delivery,
  status: MessageStatus,
): Promise<void> {
  if (isOutgoing(delivery) || delivery.type !== MESSAGE_CREATED) return;
  const message = parseTimelineId('msg', delivery.messageId ?? '');
  if (!message || delivery.userId === undefined) return;
  const { conversationId, position } = message;
  const author = { conversationId, userId: delivery.userId, generation: delivery.generation ?? 0 };
  try {
    await write([showStatus(botId, author, { position, status }, clock.now())]);
  } catch (error) {
    // Best effort: the message matters more than its status.
    log.warn('Failed to show the status of a message.', { error: errorFields(error) });
  }
}
