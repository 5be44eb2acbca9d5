/**
 * Delivers what happened while a bot had no endpoint: a new `url`, or new code, receives the messages and events of the
 * last three hours, which is how long a delivery is attempted (docs/api/botChat.md#deliveries). Messages to a bot
 * without an endpoint make no events, because chats that only people answer should not pay for them.
 *
 * It may crash anywhere and run again: events have the id of their message, and only pending ones are delivered.
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

/** Time left at which the rest continues in another job. */
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

/** Walks upwards, because a conversation moves up with a new message. Returns the position to continue after. */
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

/** Events whose job found no endpoint, or that no job was made for. */
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
