/** Deliveries of a conversation that are pending because an attempt failed or the endpoint is down. */
import { clock } from '#shared/core/clock.ts';
import { timelineId } from '#shared/core/ids.ts';
import { type Bot, findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import type { Conversation } from '#shared/storage/dynamodb/chat/conversations.ts';
import { entryOfEvent } from '#shared/storage/dynamodb/chat/events.ts';
import { findEndpointState } from '#shared/storage/dynamodb/delivery/endpointState.ts';
import { findPaused, type PausedConversation } from '#shared/storage/dynamodb/delivery/pausedConversations.ts';
import { type Destination, destinationOf } from '#shared/storage/dynamodb/partitioning/destinations.ts';
import { phaseOf } from './breaker.ts';
import { findAddress } from './deliveryAddress.ts';
import { type Delivery, isOutgoing, isSignal, listPending } from './deliveryRecords.ts';

export interface PendingDelivery {
  id: string;
  messageId: string | undefined;
  /** Alias of the installation that receives it. Undefined for the bot. */
  alias: string | undefined;
  /** 0 for a delivery that follows another one. */
  attempts: number;
  reason: string | undefined;
  sinceMs: number;
  nextAttemptMs: number;
}

/** Returns up to 50 deliveries to the bot, and as many to the installation. Costs two reads if none is pending. */
export async function listPendingDeliveries(botId: string, conversation: Conversation): Promise<PendingDelivery[]> {
  const destinations = [undefined, conversation.webhookId].map(webhookId => destinationOf(botId, webhookId));
  const pauses = await Promise.all(destinations.map(each => findPaused(each, conversation.id)));
  if (pauses.every(pause => pause === undefined)) return [];
  const bot = await findBot(botId);
  const alias = bot && aliasOf(bot, conversation.webhookId);
  const lists = pauses.map((pause, i) =>
    pause ? pendingAt(destinations[i]!, pause, i === 0 ? undefined : alias) : [],
  );
  return (await Promise.all(lists)).flat();
}

const aliasOf = ({ installations }: Bot, webhookId: string) =>
  installations.find(each => each.webhookId === webhookId)?.alias;

async function pendingAt(
  destination: Destination,
  pause: PausedConversation,
  alias: string | undefined,
): Promise<PendingDelivery[]> {
  const nowMs = clock.now();
  const { address } = await findAddress(destination);
  const [{ records }, { breaker }] = await Promise.all([
    listPending(destination, pause.conversationId, pause.firstPosition),
    findEndpointState(destination, address, { nowMs }),
  ]);
  const nextMs = phaseOf(breaker, nowMs) === 'open' ? breaker!.openUntilMs : pause.nextMs;
  return records.map(delivery => ({
    id: delivery.id,
    messageId: messageOf(delivery),
    alias,
    attempts: delivery.id === pause.eventId ? pause.attempts : 0,
    // Later deliveries wait for the first one.
    reason: pause.reason,
    sinceMs: pause.sinceMs,
    nextAttemptMs: Math.max(nextMs, nowMs),
  }));
}

function messageOf(delivery: Delivery): string | undefined {
  if (isOutgoing(delivery)) return isSignal(delivery) ? undefined : delivery.messageId;
  const entry = entryOfEvent(delivery.id);
  return entry && timelineId('msg', entry.conversationId, entry.position);
}

/** Maximum number of pending deliveries that are searched for a message, times 50. */
const PAGES = 10;

/** Returns true if a delivery of the message is pending after a failed attempt. */
export async function isPendingAt(
  destination: Destination,
  { conversationId, messageId }: { conversationId: string; messageId: string },
): Promise<boolean> {
  const pause = await findPaused(destination, conversationId);
  let from = pause?.firstPosition;
  for (let page = 0; from !== undefined && page < PAGES; page++) {
    const { records, next } = await listPending(destination, conversationId, from);
    if (records.some(each => messageOf(each) === messageId)) return true;
    from = next;
  }
  return false;
}
