/** Tells the author of a message, in the webchat client, what becomes of it (docs/compatibility.md#webchat). */
import { clock } from '#shared/clock.ts';
import { type MessageStatus, showStatus } from '#shared/dynamodb/chat/presence.ts';
import { write } from '#shared/dynamodb/transaction.ts';
import { parseTimelineId } from '#shared/ids.ts';
import { errorFields, log } from '#shared/log.ts';
import { MESSAGE_CREATED } from '#shared/messaging/eventPayload.ts';
import type { Recipient } from './recipients.ts';
import { type Delivery, isOutgoing } from './records.ts';

/** Without effect for what is no message to a bot whose users may use that client. */
export async function showMessageStatus(
  { botId, showsStatus }: Pick<Recipient, 'botId' | 'showsStatus'>,
  delivery: Delivery,
  status: MessageStatus,
): Promise<void> {
  if (!showsStatus || isOutgoing(delivery) || delivery.type !== MESSAGE_CREATED) return;
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
