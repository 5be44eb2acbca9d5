/**
 * The timeline of a conversation: messages, custom events and changes of who takes part, under one time-ordered key, so
 * that a listener follows one query and a page costs the same in a conversation of a million messages.
 *
 * These are the items of which there are many: their attribute names are one letter, because a write unit is a kilobyte.
 */
import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { environment } from '../environment.ts';
import { notFound } from '../http/errors.ts';
import { type StoredValue, sizeOf } from '../storage/bigValue.ts';
import { documents } from './client.ts';
import { decodeTime } from './ids.ts';
import { conversationPk, positionOf, timelineEnd, timelineKey, timelinePrefix } from './keys.ts';
import { storedValue } from './stored.ts';
import { type Write, WriteConflict } from './write.ts';

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
}

export const createdAtMs = (entry: Entry) => decodeTime(entry.position);

function fromItem(item: unknown): Entry {
  const { sk, k, u, f, g = 0, p, z: compressed, o, n, x, i } = Item.parse(item);
  return {
    kind: KINDS[k],
    position: positionOf(sk),
    userId: u,
    foreignUserId: f,
    generation: g,
    payload: { p, z: compressed, o, n },
    hasMetadata: x,
    messageId: i,
  };
}

const letterOf = Object.fromEntries(Object.entries(KINDS).map(([letter, kind]) => [kind, letter]));

/** Appends to the timeline. A position that another writer took in the same millisecond is a {@link WriteConflict}. */
export const appendEntry = (botId: string, conversationId: string, entry: Entry): Write => ({
  put: {
    Item: {
      ...timelineKey(botId, conversationId, entry.position),
      k: letterOf[entry.kind],
      u: entry.userId,
      f: entry.foreignUserId,
      g: entry.generation || undefined,
      ...entry.payload,
      x: entry.hasMetadata || undefined,
      i: entry.messageId,
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
  refused: () => new WriteConflict(),
});

export const removeEntry = (botId: string, conversationId: string, position: string, what: string): Write => ({
  remove: { Key: timelineKey(botId, conversationId, position), ConditionExpression: 'attribute_exists(pk)' },
  refused: () => notFound(what),
});

export async function findEntry(botId: string, conversationId: string, position: string): Promise<Entry | undefined> {
  const { Item } = await documents.send(
    new GetCommand({
      TableName: environment.tableName,
      Key: timelineKey(botId, conversationId, position),
      ConsistentRead: true,
    }),
  );
  return Item && fromItem(Item);
}

/**
 * A Lambda answers at most 6 MB, in which the body is a JSON string: one quote or backslash of it takes two bytes.
 * So a page ends before its messages exceed this.
 */
const PAGE_BYTES = 2_500_000;
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
  { before, limit, generation }: { before?: string | undefined; limit: number; generation: () => Promise<number> },
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
          ':first': timelinePrefix,
          ':last': last === undefined ? timelineEnd : timelineKey(botId, conversationId, last).sk,
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
      const entry = fromItem(item);
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
