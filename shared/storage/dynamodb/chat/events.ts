import * as z from 'zod/mini';
import { startOf } from '#shared/core/excerpt.ts';
import {
  decodeTime,
  derivedConversationId,
  derivedPosition,
  isConversationId,
  newPosition,
  parseTimelineId,
  randomText,
  timelineId,
} from '#shared/core/ids.ts';
import { decode, encode } from '#shared/storage/dynamodb/engine/aliases.ts';
import { assign } from '#shared/storage/dynamodb/engine/assign.ts';
import { storedValue } from '#shared/storage/dynamodb/engine/largeValue.ts';
import { type Item, readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import {
  conversationPk,
  eventKey,
  eventListing,
  eventPrefix,
  LISTED_BY_TIME,
  positionOf,
} from '#shared/storage/dynamodb/keys/chat.ts';
import { OF_GENERATION } from '#shared/storage/dynamodb/keys/generation.ts';
import type { Key } from '#shared/storage/dynamodb/keys/table.ts';
import { botList, partitionList, type Range } from '#shared/storage/dynamodb/lists/lists.ts';
import { removeTimer, setTimer } from '#shared/storage/dynamodb/timers/timers.ts';
import { listPending } from './pending.ts';

const RETENTION_SECONDS = 90 * 24 * 3600;
export const REASON_LENGTH = 2_000;

export const EVENT_STATUSES = ['pending', 'processed', 'ignored', 'failed', 'scheduled', 'canceled'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

const Stored = z.object({
  id: z.string(),
  type: z.string(),
  status: z.enum(EVENT_STATUSES),
  failureReason: z.optional(z.string()),
  conversationId: z.optional(z.string()),
  userId: z.optional(z.string()),
  messageId: z.optional(z.string()),
  workflowId: z.optional(z.string()),
  webhookId: z.optional(z.string()),
  g: z.optional(z.number()),
  replays: z.optional(z.number()),
  origin: z.optional(z.string()),
  ttl: z.optional(z.number()),
  ...storedValue,
});
export const parseEvent = (item: Item) => decode(OF_GENERATION, Stored.parse(item));
export type Event = ReturnType<typeof parseEvent>;

/**
 * Parses an id. The event of a timeline entry (`evt_`) shares the entry's position. Other events (`evb_`) have separate
 * positions.
 */
const parseEventId = (id: string) => parseTimelineId('evb', id) ?? parseTimelineId('evt', id);

const keyOf = (botId: string, id: string): Key => {
  const { conversationId, position } = parseEventId(id)!;
  return eventKey(botId, conversationId, position, id.startsWith('evt'));
};

export const timelineEventId = (conversationId: string, position: string) =>
  timelineId('evt', conversationId, position);
export const entryOfEvent = (id: string) => parseTimelineId('evt', id);

/** Returns the conversation that orders an event, and its position there. Positions sort in delivery order. */
export function orderOfEvent(id: string): { conversationId: string; position: string } {
  const { conversationId } = parseEventId(id)!;
  return { conversationId, position: positionOf(keyOf('', id).sk) };
}

/** Events are delivered in order within a conversation, or within a workflow that has no conversation. */
export interface EventOrder {
  conversationId?: string | undefined;
  generation?: number | undefined;
  workflowId?: string | undefined;
}

/**
 * The id determines the partition, whose stream preserves the order. An event without either gets its own partition.
 */
export function newEventId({ conversationId, workflowId }: EventOrder): string {
  const partition =
    conversationId ??
    (workflowId === undefined ? `convo_${randomText(22)}` : derivedConversationId('events of', workflowId));
  return timelineId('evb', partition, newPosition());
}

/** Returns a deterministic id, ordered within its group. `attempt` avoids a collision with another event. */
export function derivedEventId(group: readonly string[], origin: string, atMs: number, attempt: number): string {
  return timelineId('evb', derivedConversationId(...group), derivedPosition(atMs, `${origin} ${attempt}`));
}

/** Returns the time at which an event became, or becomes, pending. */
export const eventDueMs = (event: Event): number =>
  event.ttl === undefined ? eventCreatedAtMs(event) : (event.ttl - RETENTION_SECONDS) * 1000;

export const eventCreatedAtMs = ({ id }: Pick<Event, 'id'>) => decodeTime(parseEventId(id)!.position);

const itemOf = (botId: string, event: Event, keptFromMs: number) => ({
  ...keyOf(botId, event.id),
  ...encode(OF_GENERATION, event),
  ...eventListing(botId, { ...event, position: parseEventId(event.id)!.position }),
  ttl: Math.floor(keptFromMs / 1000) + RETENTION_SECONDS,
});

export const putNewEvent = (botId: string, event: Event, dueMs?: number): Write[] => [
  {
    put: {
      Item: itemOf(botId, event, dueMs ?? eventCreatedAtMs(event)),
      ConditionExpression: 'attribute_not_exists(pk)',
    },
    onRefused: () => new WriteConflict(),
  },
  ...(dueMs === undefined ? [] : [setTimer(keyOf(botId, event.id), dueMs, event.generation)]),
];

export const setEventStatus = (
  botId: string,
  event: Event,
  status: EventStatus,
  onRefused: (existing: Event | undefined) => Error,
  { failureReason, isReplay = false }: { failureReason?: string; isReplay?: boolean } = {},
): Write => {
  const { gsi2Sk } = eventListing(botId, { ...event, status, position: parseEventId(event.id)!.position });
  const reason = isReplay ? null : failureReason && startOf(failureReason, REASON_LENGTH);
  return {
    update: {
      Key: keyOf(botId, event.id),
      ...assign(
        { status, gsi2Sk: gsi2Sk ?? null, failureReason: reason },
        { count: isReplay ? 'replays' : undefined, values: { ':before': event.status } },
      ),
      ConditionExpression: '#status = :before',
    },
    onRefused: existing => onRefused(existing && parseEvent(existing)),
  };
};

export const unschedule = (botId: string, event: Event): Write => removeTimer(keyOf(botId, event.id));

export async function findEvent(botId: string, id: string): Promise<Event | undefined> {
  if (!parseEventId(id)) return undefined;
  const item = await readItem(keyOf(botId, id));
  return item && parseEvent(item);
}

export async function listPendingEvents(
  botId: string,
  conversationId: string,
  from: string,
): Promise<{ events: Event[]; next?: string }> {
  const { items, ...rest } = await listPending(botId, conversationId, { prefix: eventPrefix, from });
  return { events: items.map(parseEvent), ...rest };
}

interface EventFilters {
  conversationId?: string | undefined;
  status?: EventStatus | undefined;
}

/** Reads the most selective list: by conversation, by status, or all. The caller applies the other filters. */
export async function* listEvents(
  botId: string,
  { conversationId, status }: EventFilters,
  range: Range,
): AsyncGenerator<{ sortKey: string; event: Event }> {
  if (conversationId !== undefined && !isConversationId(conversationId)) return;
  const list =
    conversationId !== undefined
      ? partitionList(conversationPk(botId, conversationId), eventPrefix, range)
      : status === undefined || status === LISTED_BY_TIME
        ? botList(botId, 'events', 'gsi1', range)
        : botList(botId, 'events', 'gsi2', range, [`${status}#`]);
  for await (const { sortKey, item } of list) yield { sortKey, event: parseEvent(item) };
}
