import { eventOfEntry } from '#shared/events/delivery/eventOfEntry.ts';
import { writeOnce } from '#shared/events/delivery/writeOnce.ts';
import { isReachable } from '#shared/outbound/code/callTarget.ts';
import { type Bot, findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { findBotCached } from '#shared/storage/dynamodb/bots/cachedBot.ts';
import { parseEntry } from '#shared/storage/dynamodb/chat/entry.ts';
import { parseEvent, putNewEvent } from '#shared/storage/dynamodb/chat/events.ts';
import { type Outgoing, parseOutgoing, putNewOutgoing } from '#shared/storage/dynamodb/chat/outgoing.ts';
import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { destinationOf } from '#shared/storage/dynamodb/partitioning/destinations.ts';
import { conversationGroup, enqueueDelivery } from '#shared/storage/queues/deliveryJobs.ts';
import { onBotChanged, onIntegrationChanged } from './endpointChanges.ts';
import { mayGoOut, outgoingOf } from './outgoingFromChanges.ts';
import { signalOf } from './signalFromEntry.ts';

/** Enqueues deliveries, in stream order. Redelivered changes are harmless: the queue deduplicates jobs. */
export async function requestDeliveries(changes: readonly StreamChange[]): Promise<void> {
  for (const change of changes) {
    switch (change.kind) {
      case 'bot':
        await onBotChanged(change);
        break;
      case 'integration':
        await onIntegrationChanged(change);
        break;
      case 'timelineEntry':
        if (change.event === 'INSERT') await onEntryAdded(change);
        await onConversationChanged(change);
        if (change.event === 'INSERT') await onSignal(change);
        break;
      case 'conversation':
        await onConversationChanged(change);
        break;
      case 'event':
        await onEventPending(change);
        break;
      case 'outgoing':
        await onOutgoingPending(change);
    }
  }
}

async function onEntryAdded({ botId, id: conversationId, after }: StreamChange): Promise<void> {
  const bot = await reachableBot(botId);
  const event = bot && (await eventOfEntry(bot, conversationId, parseEntry(after)));
  if (!event) return;
  await writeOnce(putNewEvent(bot.id, event));
  const group = conversationGroup(bot.id, conversationId);
  await enqueueDelivery({ kind: 'event', botId: bot.id, eventId: event.id }, { group, once: event.id });
}

async function onEventPending({ botId, pk, before, after }: StreamChange): Promise<void> {
  if (before.status === 'pending' || !(await reachableBot(botId))) return;
  const event = parseEvent(after);
  // Events of timeline entries were enqueued in order when they were written, so only replays are enqueued here.
  if (event.id.startsWith('evt') && !event.replays) return;
  const once = `${event.id}#${event.replays ?? 0}`;
  await enqueueDelivery({ kind: 'event', botId, eventId: event.id }, { group: pk, once });
}

/** Returns the bot if it has an endpoint or code. Other bots receive their events later: see `catchUp.ts`. */
async function reachableBot(botId: string): Promise<Bot | undefined> {
  const known = await findBotCached(botId);
  // A cached bot without an endpoint may just have received one.
  const bot = known && isReachable(known) ? known : await findBot(botId);
  return bot && isReachable(bot) && bot.deletedAtMs === undefined ? bot : undefined;
}

/** Enqueues the outbound record of a change, if an integration receives it. */
async function onConversationChanged(change: StreamChange): Promise<void> {
  const { botId } = change;
  const bot = mayGoOut(change) ? ((await findBotCached(botId)) ?? (await findBot(botId))) : undefined;
  if (!bot || bot.deletedAtMs !== undefined) return;
  await sendNew(botId, await outgoingOf(bot, change));
}

/** Enqueues the signal of a timeline entry, if its chat has a webhook. */
async function onSignal(change: StreamChange): Promise<void> {
  const { botId } = change;
  // Without an uncached read, so that other chats pay nothing. A new webhook takes effect when the cache expires.
  const bot = await findBotCached(botId);
  if (bot && bot.deletedAtMs === undefined) await sendNew(botId, await signalOf(bot, change));
}

async function sendNew(botId: string, outgoing: Outgoing | undefined): Promise<void> {
  if (!outgoing) return;
  await writeOnce([putNewOutgoing(botId, outgoing)]);
  await enqueueOutgoing(botId, outgoing, outgoing.id);
}

async function onOutgoingPending({ botId, before, after }: StreamChange): Promise<void> {
  if (before.status === 'pending') return;
  const outgoing = parseOutgoing(after);
  // New records were enqueued in order when they were written, so only replays are enqueued here.
  if (outgoing.replays) await enqueueOutgoing(botId, outgoing, `${outgoing.id}#${outgoing.replays}`);
}

function enqueueOutgoing(botId: string, { id, webhookId, conversationId }: Outgoing, once: string): Promise<void> {
  const group = conversationGroup(destinationOf(botId, webhookId), conversationId);
  return enqueueDelivery({ kind: 'event', botId, webhookId, eventId: id }, { group, once });
}
