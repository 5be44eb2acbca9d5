import { eventOfEntry } from '#shared/events/delivery/eventOfEntry.ts';
import { writeOnce } from '#shared/events/delivery/writeOnce.ts';
import { isReachable } from '#shared/outbound/code/callTarget.ts';
import { type Bot, findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { findBotCached } from '#shared/storage/dynamodb/bots/cachedBot.ts';
import { parseEntry } from '#shared/storage/dynamodb/chat/entry.ts';
import { parseEvent, putNewEvent } from '#shared/storage/dynamodb/chat/events.ts';
import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { conversationGroup, enqueueDelivery } from '#shared/storage/queues/deliveryJobs.ts';

export async function onEntryAdded({ botId, id: conversationId, after }: StreamChange): Promise<void> {
  const bot = await reachableBot(botId);
  const event = bot && (await eventOfEntry(bot, conversationId, parseEntry(after)));
  if (!event) return;
  await writeOnce(putNewEvent(bot.id, event));
  const group = conversationGroup(bot.id, conversationId);
  await enqueueDelivery({ kind: 'event', botId: bot.id, eventId: event.id }, { group, once: event.id });
}

export async function onEventPending({ botId, pk, before, after }: StreamChange): Promise<void> {
  if (before.status === 'pending' || !(await reachableBot(botId))) return;
  const event = parseEvent(after);
  // Events of timeline entries were enqueued in order when they were written, so only replays are enqueued here.
  if (event.id.startsWith('evt') && !event.replays) return;
  const once = `${event.id}#${event.replays ?? 0}`;
  await enqueueDelivery({ kind: 'event', botId, eventId: event.id }, { group: pk, once });
}

/** Returns the bot if it has an endpoint or code. Others receive their events later: see `catchUp.ts`. */
async function reachableBot(botId: string): Promise<Bot | undefined> {
  const known = await findBotCached(botId);
  // A cached bot without an endpoint may just have received one.
  const bot = known && isReachable(known) ? known : await findBot(botId);
  return bot && isReachable(bot) && bot.deletedAtMs === undefined ? bot : undefined;
}
