/**
 * From changes of the table to jobs of the delivery queue. A job may be enqueued again after a failure: the queue deduplicates
 * it, and a settled event is not delivered again.
 */
import { addressOfBot, isReachable } from '#shared/code/target.ts';
import { parseEvent, putNewEvent } from '#shared/dynamodb/chat/events.ts';
import type { StreamChange } from '#shared/dynamodb/streamChange.ts';
import { WriteConflict, write } from '#shared/dynamodb/transaction.ts';
import { type Bot, findBot, parseBot } from '#shared/dynamodb/workspace/bots.ts';
import { findBotCached } from '#shared/dynamodb/workspace/cachedBot.ts';
import { conversationGroup, enqueueDelivery } from '#shared/queues/deliveries.ts';
import { eventOfEntry, hooksOf } from './occasions.ts';
import { retryHeld } from './watchHeld.ts';

/** @param changes of one partition, in the order of the stream */
export async function requestDeliveries(changes: readonly StreamChange[]): Promise<void> {
  for (const change of changes) {
    if (change.kind === 'bot') {
      await onBotChanged(change);
      continue;
    }
    const bot = await reachableBot(change.botId);
    if (!bot) continue;
    if (change.kind === 'timelineEntry') await onEntryAdded(bot, change);
    if (change.kind === 'event') await onEventPending(change);
  }
}

/** The bot, if it has an endpoint or code. Without either its events stay as they are. */
async function reachableBot(botId: string): Promise<Bot | undefined> {
  const known = await findBotCached(botId);
  // The cache never answers that a bot has no endpoint: it may have got one just now.
  const bot = known && isReachable(known) ? known : await findBot(botId);
  return bot && isReachable(bot) && bot.deletedAtMs === undefined ? bot : undefined;
}

async function onEntryAdded(bot: Bot, { id: conversationId, after }: StreamChange): Promise<void> {
  const event = await eventOfEntry(bot, conversationId, after);
  if (!event) return;
  try {
    await write(putNewEvent(bot.id, event));
  } catch (error) {
    // Written by an earlier attempt that was cut short.
    if (!(error instanceof WriteConflict)) throw error;
  }
  const group = conversationGroup(bot.id, conversationId);
  await enqueueDelivery({ kind: 'event', botId: bot.id, eventId: event.id }, { group, once: event.id });
}

async function onEventPending({ botId, pk, before, after }: StreamChange): Promise<void> {
  if (before.status === 'pending') return;
  // The stream delivers binary values as text; the payload is read where the event is delivered.
  const event = parseEvent({ ...after, z: undefined });
  // Events of timeline entries were enqueued when they were made, in their order; only their replays come here.
  if (event.id.startsWith('evt') && !event.replays) return;
  const once = `${event.id}#${event.replays ?? 0}`;
  await enqueueDelivery({ kind: 'event', botId, eventId: event.id }, { group: pk, once });
}

async function onBotChanged({ botId, before, after }: StreamChange): Promise<void> {
  const parse = (item: Record<string, unknown>) => (item.id === undefined ? undefined : parseBot(item));
  const [was, is] = [parse(before), parse(after)];
  if (was && is && is.deletedAtMs === undefined && isElsewhere(was, is)) await retryHeld(botId);
  for (const hook of await hooksOf(was, is)) {
    const alias = hook.installation?.alias ?? '';
    const once = `${botId}#${hook.version}#${hook.hook}#${alias}`;
    await enqueueDelivery({ kind: 'hook', botId, ...hook }, { group: `${botId}#hooks#${alias}`, once });
  }
}

/** Whether deliveries now go elsewhere: to another url or deployment, or nowhere any more. */
const isElsewhere = (was: Bot, is: Bot) =>
  addressOfBot(was) !== addressOfBot(is) || isReachable(was) !== isReachable(is);
