/**
 * Shows the author of a message whether its delivery is in progress or failed (docs/compatibility.md#message-failed).
 */
import { clock } from '#shared/core/clock.ts';
import { parseTimelineId } from '#shared/core/ids.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { MESSAGE_CREATED } from '#shared/domain/messaging/eventPayload.ts';
import { type MessageStatus, showStatus } from '#shared/storage/dynamodb/chat/presence.ts';
import { write } from '#shared/storage/dynamodb/transaction.ts';
import type { Recipient } from './recipients.ts';
import { type Delivery, isOutgoing } from './records.ts';

/** Has no effect for other deliveries, and for a status that no client of the bot shows. */
export async function showMessageStatus(
  { botId, shownStatuses }: Pick<Recipient, 'botId' | 'shownStatuses'>,
  delivery: Delivery,
  status: MessageStatus,
): Promise<void> {
  if (!shownStatuses.includes(status) || isOutgoing(delivery) || delivery.type !== MESSAGE_CREATED) return;
  const message = parseTimelineId('msg', delivery.messageId ?? '');
  if (!message || delivery.userId === undefined) return;
  const { conversationId, position } = message;
  const author = { conversationId, userId: delivery.userId, generation: delivery.g ?? 0 };
  try {
    await write([showStatus(botId, author, { position, status }, clock.now())]);
  } catch (error) {
    // The message matters more than its status.
    log.warn('The status of a message could not be shown.', { error: errorFields(error) });
  }
}
