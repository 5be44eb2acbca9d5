import { writeOnce } from '#shared/events/delivery/writeOnce.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { findBotCached } from '#shared/storage/dynamodb/bots/cachedBot.ts';
import { type Outgoing, parseOutgoing, putNewOutgoing } from '#shared/storage/dynamodb/chat/outgoing.ts';
import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { destinationOf } from '#shared/storage/dynamodb/partitioning/destinations.ts';
import { conversationGroup, enqueueDelivery } from '#shared/storage/queues/deliveryJobs.ts';
import { mayGoOut, outgoingOf } from './outgoingFromChanges.ts';

/** Enqueues the outbound record of a change, if an integration receives it. */
export async function onConversationChanged(change: StreamChange): Promise<void> {
  const { botId } = change;
  const bot = mayGoOut(change) ? ((await findBotCached(botId)) ?? (await findBot(botId))) : undefined;
  if (!bot || bot.deletedAtMs !== undefined) return;
  const outgoing = await outgoingOf(bot, change);
  if (!outgoing) return;
  await writeOnce([putNewOutgoing(botId, outgoing)]);
  await enqueueOutgoing(botId, outgoing, outgoing.id);
}

export async function onOutgoingPending({ botId, before, after }: StreamChange): Promise<void> {
  if (before.status === 'pending') return;
  const outgoing = parseOutgoing(after);
  // New records were enqueued in order when they were written, so only replays are enqueued here.
  if (outgoing.replays) await enqueueOutgoing(botId, outgoing, `${outgoing.id}#${outgoing.replays}`);
}

function enqueueOutgoing(botId: string, { id, webhookId, conversationId }: Outgoing, once: string): Promise<void> {
  const group = conversationGroup(destinationOf(botId, webhookId), conversationId);
  return enqueueDelivery({ kind: 'event', botId, webhookId, eventId: id }, { group, once });
}
