/**
 * The timeline of a conversation: messages, custom events and changes of who takes part, under one time-ordered key, so
 * that a listener follows one query and a page costs the same in a conversation of a million messages.
 *
 * These are the items of which there are many: their attribute names are one letter, because a write unit is a kilobyte.
 */
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { documents } from '#shared/dynamodb/client.ts';
import {
  conversationPk,
  laterKey,
  positionOf,
  timelineEnd,
  timelineKey,
  timelinePrefix,
} from '#shared/dynamodb/keys/chat.ts';
import { timerListing } from '#shared/dynamodb/keys/timers.ts';
import { storedValue } from '#shared/dynamodb/largeValue.ts';
import { PAGE_BYTES } from '#shared/dynamodb/lists.ts';
import { queryAll, readItem, readItems } from '#shared/dynamodb/query.ts';
import { type Tagged, Tags } from '#shared/dynamodb/tags.ts';
import { type Write, WriteConflict } from '#shared/dynamodb/transaction.ts';
import { changeItem, type ItemChange } from '#shared/dynamodb/update.ts';
import { environment } from '#shared/environment.ts';
import { notFound } from '#shared/errors.ts';
import { decodeTime, timelineId } from '#shared/ids.ts';
import { type StoredValue, sizeOf } from '#shared/s3/largeValue.ts';

/** The kinds of entries by the letter they are stored under. */
const KINDS = {
  m: 'message',
  e: 'event',
  a: 'participant_added',
  r: 'participant_removed',
  d: 'message_deleted',
} as const;
type Kind = (typeof KINDS)[keyof typeof KINDS];

const Item = z.object({
  sk: z.string(),
  /** kind */
  k: z.enum(['m', 'e', 'a', 'r', 'd']),
  /** The user it is by, or about; and the name his world has for him. */
  u: z.string(),
  f: z.optional(z.string()),
  /** The generation of the conversation, left out when it is 0. */
  g: z.optional(z.number()),
  /** The payload, see `bigValue.ts`. */
  ...storedValue,
  /** The value holds `{ payload, metadata }`: a message of the newer client. Else it is the payload. */
  x: z.optional(z.literal(true)),
  /** The message that was deleted. */
  i: z.optional(z.string()),
  /** Of a message that came through the bot-level interface: its type (its payload is then without), */
  y: z.optional(z.string()),
  /** incoming or outgoing, */
  w: z.optional(z.enum(['i', 'o'])),
  /** made by no person, */
  s: z.optional(z.literal(true)),
  /** and brought over from elsewhere: it is history and invokes nobody. */
  j: z.optional(z.literal(true)),
  t: z.optional(Tags),
  /** Changes to a message: how many, and when the last. */
  version: z.optional(z.number()),
  c: z.optional(z.number()),
});

export interface Entry {
  kind: Kind;
  position: string;
  userId: string;
  foreignUserId?: string | undefined;
  generation: number;
  payload?: StoredValue;
  /** Whether the stored payload is `{ payload, metadata }`. */
  hasMetadata?: boolean | undefined;
  messageId?: string | undefined;
  /** Of a message that came through the bot-level interface. */
  type?: string | undefined;
  direction?: 'incoming' | 'outgoing' | undefined;
  isSynthetic?: boolean | undefined;
  isImported?: boolean | undefined;
  tags?: Tags | undefined;
  /** Counts the changes; undefined before the first. */
  version?: number | undefined;
  changedAtMs?: number | undefined;
}

export const createdAtMs = (entry: Entry) => decodeTime(entry.position);

export function parseEntry(item: unknown): Entry {
  const { sk, k, u, f, g = 0, p, z: compressed, o, n, x, i, y, w, s, j, t, version, c } = Item.parse(item);
  return {
    kind: KINDS[k],
    position: positionOf(sk),
    type: y,
    direction: w && (w === 'i' ? 'incoming' : 'outgoing'),
    isSynthetic: s,
    isImported: j,
    tags: t,
    version,
    changedAtMs: c,
    userId: u,
    foreignUserId: f,
    generation: g,
    payload: { p, z: compressed, o, n },
    hasMetadata: x,
    messageId: i,
  };
}

const letterOf = Object.fromEntries(Object.entries(KINDS).map(([letter, kind]) => [kind, letter]));

/** What an entry is stored as, but for its key. */
const itemOf = (entry: Entry) => ({
  k: letterOf[entry.kind],
  u: entry.userId,
  f: entry.foreignUserId,
  g: entry.generation || undefined,
  ...entry.payload,
  x: entry.hasMetadata || undefined,
  i: entry.messageId,
  y: entry.type,
  w: entry.direction?.[0],
  s: entry.isSynthetic || undefined,
  j: entry.isImported || undefined,
  t: entry.tags,
  // What the stream's filter can see: it cannot tell whether a map is there.
  h: entry.tags ? HAS_TAGS : undefined,
});
const HAS_TAGS = 1;

/** Appends to the timeline. A position that another writer took in the same millisecond is a {@link WriteConflict}. */
export const appendEntry = (botId: string, conversationId: string, entry: Entry): Write => ({
  put: {
    Item: { ...timelineKey(botId, conversationId, entry.position), ...itemOf(entry) },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
  onRefused: () => new WriteConflict(),
});

/** Keeps a message until the time of its position, when {@link appendEntry} takes its place. */
export const postponeEntry = (botId: string, conversationId: string, entry: Entry): Write => {
  const key = laterKey(botId, conversationId, entry.position);
  const dueMs = decodeTime(entry.position);
  return {
    put: {
      Item: { ...key, ...itemOf(entry), dueMs, ...timerListing(dueMs, key) },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
    onRefused: () => new WriteConflict(),
  };
};

/** Of a message that waits for its time: it is said, or will not be. */
export const removePostponed = (botId: string, conversationId: string, position: string, what: string): Write => ({
  remove: { Key: laterKey(botId, conversationId, position), ConditionExpression: 'attribute_exists(pk)' },
  onRefused: () => notFound(what),
});

/** Changes a message in place. @throws what `refused` makes of it when it is gone or a condition does not hold */
export async function changeEntry(
  botId: string,
  conversationId: string,
  position: string,
  {
    payload,
    type,
    tags,
    conditions: { conditions = [], names, values },
  }: {
    payload?: StoredValue | undefined;
    type?: string | undefined;
    tags: Record<string, string | null>;
    /** Under which the tags stay within their limit. */
    conditions: Pick<ItemChange, 'conditions' | 'names' | 'values'>;
  },
  {
    before,
    nowMs,
    ifVersion,
    onRefused,
  }: {
    before: Entry;
    nowMs: number;
    ifVersion: number | undefined;
    onRefused: (existing: Entry | undefined) => Error;
  },
): Promise<Entry> {
  const isTagged = before.tags !== undefined;
  const first = Object.entries(tags).filter((entry): entry is [string, string] => entry[1] !== null);
  const item = await changeItem(
    timelineKey(botId, conversationId, position),
    {
      fields: {
        c: nowMs,
        ...(payload && { p: null, z: null, o: null, n: null, ...payload, y: type, x: null }),
        // A map is made with its first keys, of which nobody else may have made one.
        ...(isTagged || first.length === 0 ? {} : { t: Object.fromEntries(first), h: HAS_TAGS }),
      },
      maps: isTagged ? { t: tags } : {},
      conditions: ['attribute_exists(pk)', ...(isTagged ? conditions : ['attribute_not_exists(t)'])],
      ...(isTagged ? { names, values } : {}),
      ifVersion,
    },
    existing => onRefused(existing && parseEntry(existing)),
  );
  return parseEntry(item);
}

/** By what a message is found by its tags. */
export const taggedMessage = (conversationId: string, position: string): Tagged => ({
  kind: 'message',
  id: timelineId('msg', conversationId, position),
  sortKey: `${position}#${conversationId}`,
  shardBy: conversationId,
});

export const removeEntry = (botId: string, conversationId: string, position: string, what: string): Write => ({
  remove: { Key: timelineKey(botId, conversationId, position), ConditionExpression: 'attribute_exists(pk)' },
  onRefused: () => notFound(what),
});

export async function findEntry(botId: string, conversationId: string, position: string): Promise<Entry | undefined> {
  const item = await readItem(timelineKey(botId, conversationId, position));
  return item && parseEntry(item);
}

/** Several of one conversation or of many, in order; undefined where there is none. */
type FindEntries = (
  botId: string,
  places: readonly { conversationId: string; position: string }[],
) => Promise<(Entry | undefined)[]>;

const findUnder =
  (keyOf: typeof timelineKey): FindEntries =>
  async (botId, places) => {
    const items = await readItems(places.map(({ conversationId, position }) => keyOf(botId, conversationId, position)));
    return items.map(item => item && parseEntry(item));
  };
export const findEntries = findUnder(timelineKey);
/** Likewise those that wait for their time. */
export const findPostponed = findUnder(laterKey);

/**
 * What is new at or behind a position, oldest first. At half the price of a consistent read: what was written within the
 * last moments may be missing, and is there the next time.
 */
export async function* entriesFrom(
  botId: string,
  conversationId: string,
  first: string,
  isNew: (position: string) => boolean,
): AsyncGenerator<Entry> {
  const items = queryAll({
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :end',
    ExpressionAttributeValues: {
      ':pk': conversationPk(botId, conversationId),
      ':first': `${timelinePrefix}${first}`,
      ':end': timelineEnd,
    },
  });
  for await (const item of items) if (isNew(positionOf(item.sk))) yield parseEntry(item);
}

/** Events between messages cost reads and show nothing: a page ends short, with a token, rather than read on for ever. */
const PAGE_QUERIES = 8;

/**
 * A page of messages, newest first.
 * @param before the position that the page before ended with
 * @param generation asked for when the first query has answered, so that it can be found out meanwhile
 * @returns the messages, and `next` unless the timeline ends here
 */
export async function listMessages(
  botId: string,
  conversationId: string,
  {
    before,
    limit,
    generation,
    first = '',
    last: latest,
  }: {
    before?: string | undefined;
    limit: number;
    generation: () => Promise<number>;
    /** Positions between which to stay, both included. */
    first?: string | undefined;
    last?: string | undefined;
  },
): Promise<{ entries: Entry[]; next?: string }> {
  const entries: Entry[] = [];
  let bytes = 0;
  let last = before;

  for (let queries = 0; queries < PAGE_QUERIES; queries++) {
    const { Items = [], LastEvaluatedKey } = await documents.send(
      new QueryCommand({
        TableName: environment.tableName,
        // Bounded on both sides: DynamoDB needs only the start key, but DynamoDB Local looks for it from the bound.
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
        ExpressionAttributeValues: {
          ':pk': conversationPk(botId, conversationId),
          ':first': `${timelinePrefix}${first}`,
          ':last':
            last !== undefined ? `${timelinePrefix}${last}` : latest ? `${timelinePrefix}${latest}` : timelineEnd,
        },
        ConsistentRead: true,
        ScanIndexForward: false,
        // One more than wanted tells whether there is another page.
        Limit: limit - entries.length + 1,
        ExclusiveStartKey: last === undefined ? undefined : timelineKey(botId, conversationId, last),
      }),
    );
    const current = await generation();
    for (const item of Items) {
      const entry = parseEntry(item);
      if (entry.kind === 'message' && entry.generation === current) {
        bytes += sizeOf(entry.payload!);
        const isFull = entries.length === limit || (entries.length > 0 && bytes > PAGE_BYTES);
        if (isFull) return { entries, next: last! };
        entries.push(entry);
      }
      last = entry.position;
    }
    if (!LastEvaluatedKey) return { entries };
  }
  return { entries, next: last };
}
