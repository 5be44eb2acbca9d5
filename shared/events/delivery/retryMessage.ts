/** Retries the delivery of a single message: to the bot, or to the integration of its conversation. */
import { decodeTime, timelineId } from '#shared/core/ids.ts';
import type { Entry } from '#shared/storage/dynamodb/chat/entry.ts';
import { findEvent, setEventStatus, timelineEventId } from '#shared/storage/dynamodb/chat/events.ts';
import type { FoundMessage } from '#shared/storage/dynamodb/chat/messages.ts';
import { listFailedOutgoing, type Outgoing, setOutgoingStatus } from '#shared/storage/dynamodb/chat/outgoing.ts';
import { type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { timeRange } from '#shared/storage/dynamodb/lists/lists.ts';
import { destinationOf } from '#shared/storage/dynamodb/partitioning/destinations.ts';
import { isPendingAt } from './pendingDeliveries.ts';
import { retryEndpoint } from './retryEndpoint.ts';

/**
 * Bounds the failed deliveries that are read, from the message's time on. The message's own delivery is among the
 * first.
 */
const READ_LIMIT = 500;

/**
 * Returns the writes. Returns none for a pending delivery, whose next attempt is made now, at most once in five
 * seconds. Returns undefined if the delivery has not failed.
 */
export async function retryMessage(botId: string, { conversation, entry }: FoundMessage): Promise<Write[] | undefined> {
  const { id: conversationId } = conversation;
  const isIncoming = entry.direction !== 'outgoing' && entry.userId !== botId;
  if (isIncoming) return retryEvent(botId, conversationId, entry);
  const destination = destinationOf(botId, conversation.webhookId);
  const messageId = timelineId('msg', conversationId, entry.position);
  if (await isPendingAt(destination, { conversationId, messageId })) {
    await retryEndpoint(destination, conversationId);
    return [];
  }
  if (entry.undelivered === undefined) return undefined;
  const failed = await findFailed(botId, conversationId, entry);
  // The failure tag remains until a retry succeeds.
  return failed.map(each => setOutgoingStatus(botId, each, 'pending', { isReplay: true }));
}

async function retryEvent(botId: string, conversationId: string, { position }: Entry): Promise<Write[] | undefined> {
  const event = await findEvent(botId, timelineEventId(conversationId, position));
  if (event?.status === 'pending') {
    await retryEndpoint(destinationOf(botId, undefined), conversationId);
    return [];
  }
  if (event?.status !== 'failed') return undefined;
  return [setEventStatus(botId, event, 'pending', () => new WriteConflict(), { isReplay: true })];
}

/** Returns the failed deliveries of a message and of its updates. */
async function findFailed(botId: string, conversationId: string, { position }: Entry): Promise<Outgoing[]> {
  const messageId = timelineId('msg', conversationId, position);
  const found: Outgoing[] = [];
  let count = 0;
  const range = { direction: 'asc' as const, ...timeRange(decodeTime(position), undefined) };
  for await (const { outgoing } of listFailedOutgoing(botId, range)) {
    if (outgoing.messageId === messageId) found.push(outgoing);
    if (++count === READ_LIMIT) break;
  }
  return found;
}
