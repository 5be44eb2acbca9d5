/**
 * Delivers the messages and events that arrived while a bot had no endpoint. A new `url`, or new code, receives those
 * of the last three hours, the period in which deliveries are retried (docs/api/botChat.md#deliveries). Messages to a
 * bot without an endpoint create no events, so that chats handled only by people do not pay for them.
 *
 * Idempotent after a crash at any point: events have the id of their message, and only pending events are delivered.
 */
import { clock } from '#shared/core/clock.ts';
import { floorAt } from '#shared/domain/chat/listenCursor.ts';
import { isReachable } from '#shared/outbound/code/callTarget.ts';
import { type Bot, findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { listConversations } from '#shared/storage/dynamodb/chat/conversations.ts';
import { type Event, eventDueMs, listEvents, orderOfEvent, putNewEvent } from '#shared/storage/dynamodb/chat/events.ts';
import { entriesFrom } from '#shared/storage/dynamodb/chat/timeline.ts';
import { END, timeRange } from '#shared/storage/dynamodb/lists/lists.ts';
import {
  type CatchUpJob,
  conversationGroup,
  enqueueCatchUp,
  enqueueDelivery,
} from '#shared/storage/queues/deliveryJobs.ts';
import { MAX_WAIT_MS } from './deliveryLimits.ts';
import { eventOfEntry } from './eventOfEntry.ts';
import { writeOnce } from './writeOnce.ts';

/** Remaining time below which another job continues. */
const RESERVE_MS = 30_000;

export const startCatchUp = ({ id, version }: Bot): Promise<void> =>
  enqueueCatchUp({ botId: id, version, sinceMs: clock.now() - MAX_WAIT_MS, phase: 'messages' });

export async function catchUp(job: CatchUpJob, timeLeftMs: () => number): Promise<void> {
  const bot = await findBot(job.botId);
  if (!bot || bot.deletedAtMs !== undefined || !isReachable(bot)) return;
  const isTimeLeft = () => timeLeftMs() > RESERVE_MS;
  if (job.phase === 'messages') {
    const after = await createEvents(bot, job, isTimeLeft);
    await enqueueCatchUp(after === undefined ? { ...job, phase: 'events', after } : { ...job, after });
    return;
  }
  const after = await deliverPending(bot, job, isTimeLeft);
  if (after !== undefined) await enqueueCatchUp({ ...job, after });
}

type Step = (bot: Bot, job: CatchUpJob, isTimeLeft: () => boolean) => Promise<string | undefined>;

/**
 * Reads in ascending order, because a new message moves its conversation to the end. Returns the position to continue
 * after.
 */
const createEvents: Step = async (bot, { sinceMs, after }, isTimeLeft) => {
  const range = { direction: 'asc' as const, ...timeRange(sinceMs, undefined), after };
  for await (const { sortKey, record } of listConversations(bot.id, 'updatedAt', range)) {
    if (!record) continue;
    for await (const entry of entriesFrom(bot.id, record.id, floorAt(sinceMs))) {
      const event = await eventOfEntry(bot, record.id, entry);
      if (event && (await writeOnce(putNewEvent(bot.id, event)))) await enqueue(bot, event);
    }
    if (!isTimeLeft()) return sortKey;
  }
  return undefined;
};

/** Enqueues events whose job found no endpoint, or that have no job. */
const deliverPending: Step = async (bot, { sinceMs, after }, isTimeLeft) => {
  const range = { direction: 'asc' as const, first: '', last: END, after };
  for await (const { sortKey, event } of listEvents(bot.id, { status: 'pending' }, range)) {
    if (eventDueMs(event) >= sinceMs) await enqueue(bot, event);
    if (!isTimeLeft()) return sortKey;
  }
  return undefined;
};

const enqueue = ({ id: botId, version }: Bot, { id }: Event): Promise<void> =>
  enqueueDelivery(
    { kind: 'event', botId, eventId: id },
    { group: conversationGroup(botId, orderOfEvent(id).conversationId), once: `${id}#${version}` },
  );
