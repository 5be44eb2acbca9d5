/** Events of a bot: what happened, or is to happen, and what became of it. They are kept for 90 days. */
import * as z from 'zod/mini';
import { conversationPk, eventKey, eventListing, eventPrefix } from '#shared/dynamodb/keys/chat.ts';
import type { Key } from '#shared/dynamodb/keys/table.ts';
import { storedValue } from '#shared/dynamodb/largeValue.ts';
import { botList, partitionList, type Range } from '#shared/dynamodb/lists.ts';
import { type Item, readItem } from '#shared/dynamodb/query.ts';
import { removeTimer, setTimer } from '#shared/dynamodb/timers.ts';
import { type Write, WriteConflict } from '#shared/dynamodb/transaction.ts';
import {
  decodeTime,
  derivedConversationId,
  derivedPosition,
  newPosition,
  parseTimelineId,
  randomText,
  timelineId,
} from '#shared/ids.ts';

const KEPT_SECONDS = 90 * 24 * 3600;
/** The contract's. */
const REASON_LENGTH = 2_000;

export const EVENT_STATUSES = ['pending', 'processed', 'ignored', 'failed', 'scheduled', 'canceled'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

const Event = z.object({
  id: z.string(),
  type: z.string(),
  status: z.enum(EVENT_STATUSES),
  failureReason: z.optional(z.string()),
  conversationId: z.optional(z.string()),
  userId: z.optional(z.string()),
  messageId: z.optional(z.string()),
  workflowId: z.optional(z.string()),
  /** The installation that made it, of an integration's event. */
  webhookId: z.optional(z.string()),
  /** The generation of its conversation, left out when it is 0. */
  g: z.optional(z.number()),
  /** How often it was sent anew after it failed; left out when never. */
  replays: z.optional(z.number()),
  /** What it follows from, if that may be told twice: only one is made of it. */
  origin: z.optional(z.string()),
  ...storedValue,
});
export type Event = z.infer<typeof Event>;
export const parseEvent = (item: Item): Event => Event.parse(item);

/**
 * Where an event is, as its id says; undefined when it is none. What was said in a conversation (`evt_`) has the place of
 * its entry in the timeline, and others (`evb_`) one of their own.
 */
const placeOf = (id: string) => parseTimelineId('evb', id) ?? parseTimelineId('evt', id);

const keyOf = (botId: string, id: string): Key => {
  const { conversationId, position } = placeOf(id)!;
  return eventKey(botId, conversationId, position, id.startsWith('evt'));
};

/** The event that a message or custom event of the timeline is for the bot. */
export const timelineEventId = (conversationId: string, position: string) =>
  timelineId('evt', conversationId, position);
/** The entry of the timeline that an event is about; undefined for others. */
export const entryOfEvent = (id: string) => parseTimelineId('evt', id);

/** An id for an event of this conversation; without one it has a partition to itself. */
export const newEventId = (conversationId: string | undefined): string =>
  timelineId('evb', conversationId ?? `convo_${randomText(22)}`, newPosition());

/**
 * An id for an event that follows from something that may be told twice: the same each time.
 * @param group of whose events none is delivered before those that were made earlier
 * @param attempt from 0: another id, if that one is another event's
 */
export function derivedEventId(group: readonly string[], origin: string, atMs: number, attempt: number): string {
  return timelineId('evb', derivedConversationId(...group), derivedPosition(atMs, `${origin} ${attempt}`));
}

export const eventCreatedAtMs = ({ id }: Pick<Event, 'id'>) => decodeTime(placeOf(id)!.position);

const itemOf = (botId: string, event: Event, keptFromMs: number) => ({
  ...keyOf(botId, event.id),
  ...event,
  ...eventListing(botId, { ...event, position: placeOf(event.id)!.position }),
  ttl: Math.floor(keptFromMs / 1000) + KEPT_SECONDS,
});

/** @param dueMs when it is to happen, of a scheduled one */
export const putNewEvent = (botId: string, event: Event, dueMs?: number): Write[] => [
  {
    put: {
      Item: itemOf(botId, event, dueMs ?? eventCreatedAtMs(event)),
      ConditionExpression: 'attribute_not_exists(pk)',
    },
    onRefused: () => new WriteConflict(),
  },
  ...(dueMs === undefined ? [] : [setTimer(keyOf(botId, event.id), dueMs, event.g)]),
];

/** Moves an event from one status to the next. @param refused what it means that it has another meanwhile, or is gone */
export const setEventStatus = (
  botId: string,
  event: Event,
  status: EventStatus,
  onRefused: (existing: Event | undefined) => Error,
  { failureReason, isReplay = false }: { failureReason?: string; isReplay?: boolean } = {},
): Write => ({
  update: {
    Key: keyOf(botId, event.id),
    UpdateExpression: `SET #status = :status, gsi2Sk = :gsi2Sk${failureReason === undefined ? '' : ', failureReason = :reason'}${isReplay ? ' REMOVE failureReason ADD replays :one' : ''}`,
    ConditionExpression: '#status = :before',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ...(failureReason === undefined ? {} : { ':reason': failureReason.slice(0, REASON_LENGTH) }),
      ...(isReplay ? { ':one': 1 } : {}),
      ':status': status,
      ':before': event.status,
      ':gsi2Sk': eventListing(botId, { ...event, status, position: placeOf(event.id)!.position }).gsi2Sk,
    },
  },
  onRefused: existing => onRefused(existing && Event.parse(existing)),
});

/** A scheduled event will not happen. */
export const unschedule = (botId: string, event: Event): Write => removeTimer(keyOf(botId, event.id));

export async function findEvent(botId: string, id: string): Promise<Event | undefined> {
  if (!placeOf(id)) return undefined;
  const item = await readItem(keyOf(botId, id));
  return item && Event.parse(item);
}

/** Of which events a list is wanted: those of a conversation, of a type, of a status, or all. */
type Wanted = { conversationId?: string | undefined; type?: string | undefined; status?: EventStatus | undefined };

/** The events that are nearest to what is wanted, newest first; what else is asked for is to be filtered. */
export async function* listEvents(
  botId: string,
  { conversationId, type, status }: Wanted,
  range: Range,
): AsyncGenerator<{ sortKey: string; event: Event }> {
  const list =
    conversationId !== undefined
      ? partitionList(conversationPk(botId, conversationId), eventPrefix, range)
      : type !== undefined
        ? botList(botId, 'events', 'gsi1', range, [`${type}#`])
        : botList(
            botId,
            'events',
            'gsi2',
            range,
            (status ? [status] : EVENT_STATUSES).map(each => `${each}#`),
          );
  for await (const { sortKey, item } of list) yield { sortKey, event: Event.parse(item) };
}
