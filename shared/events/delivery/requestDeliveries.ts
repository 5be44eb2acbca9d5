import { clock } from '#shared/core/clock.ts';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { addressOf, addressOfBot, isReachable, targetOf } from '#shared/outbound/code/target.ts';
import { type Bot, findBot, parseBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { findBotCached } from '#shared/storage/dynamodb/bots/cachedBot.ts';
import { parseEvent, putNewEvent } from '#shared/storage/dynamodb/chat/events.ts';
import { type Outgoing, parseOutgoing, putNewOutgoing } from '#shared/storage/dynamodb/chat/outgoing.ts';
import { forgetEndpoint } from '#shared/storage/dynamodb/delivery/endpointState.ts';
import { listWaiting } from '#shared/storage/dynamodb/delivery/waitingLanes.ts';
import { type Integration, parseIntegration } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { laneOf } from '#shared/storage/dynamodb/lanes.ts';
import type { StreamChange } from '#shared/storage/dynamodb/streamChange.ts';
import { type Write, WriteConflict, write } from '#shared/storage/dynamodb/transaction.ts';
import { conversationGroup, enqueueDelivery } from '#shared/storage/queues/deliveries.ts';
import { eventOfEntry, hooksOf } from './eventsFromChanges.ts';
import { mayGoOut, outgoingOf } from './outgoingFromChanges.ts';
import { usableInstallation } from './recipients.ts';
import { retryHeld } from './wakePendingDeliveries.ts';

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
        await onConversationTold(change);
        break;
      case 'conversation':
        await onConversationTold(change);
        break;
      case 'event':
        await onEventPending(change);
        break;
      case 'outgoing':
        await onOutgoingPending(change);
    }
  }
}

/** Returns the bot if it has an endpoint or code. Events of other bots stay as they are. */
async function reachableBot(botId: string): Promise<Bot | undefined> {
  const known = await findBotCached(botId);
  // A cached bot without an endpoint may just have received one.
  const bot = known && isReachable(known) ? known : await findBot(botId);
  return bot && isReachable(bot) && bot.deletedAtMs === undefined ? bot : undefined;
}

async function onEntryAdded({ botId, id: conversationId, after }: StreamChange): Promise<void> {
  const bot = await reachableBot(botId);
  const event = bot && (await eventOfEntry(bot, conversationId, after));
  if (!event) return;
  await writeOnce(putNewEvent(bot.id, event));
  const group = conversationGroup(bot.id, conversationId);
  await enqueueDelivery({ kind: 'event', botId: bot.id, eventId: event.id }, { group, once: event.id });
}

async function onConversationTold(change: StreamChange): Promise<void> {
  const { botId } = change;
  const bot = mayGoOut(change) ? ((await findBotCached(botId)) ?? (await findBot(botId))) : undefined;
  if (!bot || bot.deletedAtMs !== undefined) return;
  const outgoing = await outgoingOf(bot, change);
  if (!outgoing) return;
  await writeOnce([putNewOutgoing(botId, outgoing)]);
  await enqueueOutgoing(botId, outgoing, outgoing.id);
}

/** Ignores conflicts: an interrupted attempt has already written the record. */
async function writeOnce(writes: Write[]): Promise<void> {
  try {
    await write(writes);
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error;
  }
}

function enqueueOutgoing(botId: string, { id, webhookId, conversationId }: Outgoing, once: string): Promise<void> {
  const group = conversationGroup(laneOf(botId, webhookId), conversationId);
  return enqueueDelivery({ kind: 'event', botId, webhookId, eventId: id }, { group, once });
}

async function onOutgoingPending({ botId, before, after }: StreamChange): Promise<void> {
  if (before.status === 'pending') return;
  const outgoing = parseOutgoing({ ...after, z: undefined });
  // New records were enqueued in order when they were written. Only replays get here.
  if (outgoing.replays) await enqueueOutgoing(botId, outgoing, `${outgoing.id}#${outgoing.replays}`);
}

async function onEventPending({ botId, pk, before, after }: StreamChange): Promise<void> {
  if (before.status === 'pending' || !(await reachableBot(botId))) return;
  // The stream delivers binary values as text. The payload is read upon delivery.
  const event = parseEvent({ ...after, z: undefined });
  // Events of timeline entries were enqueued in order when they were written. Only their replays get here.
  if (event.id.startsWith('evt') && !event.replays) return;
  const once = `${event.id}#${event.replays ?? 0}`;
  await enqueueDelivery({ kind: 'event', botId, eventId: event.id }, { group: pk, once });
}

async function onBotChanged({ botId, before, after }: StreamChange): Promise<void> {
  const parse = (item: Record<string, unknown>) => (item.id === undefined ? undefined : parseBot(item));
  const [was, is] = [parse(before), parse(after)];
  if (was) await onTargetsChanged(was, is?.deletedAtMs === undefined ? is : undefined);
  for (const hook of await hooksOf(was, is)) {
    const alias = hook.installation?.alias ?? '';
    const once = `${botId}#${hook.version}#${hook.hook}#${alias}`;
    await enqueueDelivery({ kind: 'hook', botId, ...hook }, { group: `${botId}#hooks#${alias}`, once });
  }
}

async function onTargetsChanged(was: Bot, is: Bot | undefined): Promise<void> {
  if (is && isElsewhere(was, is)) await retryHeld(was.id);
  for (const { webhookId } of was.installations) {
    const isEnded = usableInstallation(was, webhookId) && !(is && usableInstallation(is, webhookId));
    if (!isEnded) continue;
    const lane = laneOf(was.id, webhookId);
    // A retry ignores an uninstalled integration's deliveries. The sweep of a deleted bot deletes them.
    await (is ? retryHeld(lane) : forgetEndpoint(lane));
  }
}

/** Lanes that are retried immediately when an integration's address changes. The rest wait for their pause. */
const LANES_LIMIT = 100;
const LANES_TOGETHER = 10;

async function onIntegrationChanged({ before, after }: StreamChange): Promise<void> {
  if (before.id === undefined || after.id === undefined) return;
  const [was, is] = [parseIntegration(before), parseIntegration(after)];
  const address = (integration: Integration) => {
    const target = targetOf('integration', integration);
    return target && addressOf(target);
  };
  if (address(was) === address(is) && isReachable(was) === isReachable(is)) return;
  const lanes = await listWaiting(is.id, clock.now(), LANES_LIMIT);
  await mapConcurrently(lanes, LANES_TOGETHER, retryHeld);
}

const isElsewhere = (was: Bot, is: Bot) =>
  addressOfBot(was) !== addressOfBot(is) || isReachable(was) !== isReachable(is);
