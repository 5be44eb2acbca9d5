/**
 * Entries of a conversation's timeline, and the items that store them. Items have one-letter attribute names because
 * there are many of them and a write unit is one kilobyte.
 */
import * as z from 'zod/mini';
import { decodeTime } from '#shared/core/ids.ts';
import { positionOf } from '#shared/storage/dynamodb/keys/chat.ts';
import type { StoredValue } from '#shared/storage/dynamodb/largeValue.ts';
import { storedValue } from '#shared/storage/dynamodb/largeValue.ts';
import { Tags } from '#shared/storage/dynamodb/tags.ts';

/** Kinds of entries, by the letter stored for each. */
const KINDS = {
  m: 'message',
  e: 'event',
  a: 'participant_added',
  r: 'participant_removed',
  d: 'message_deleted',
  u: 'message_updated',
} as const;
type Kind = (typeof KINDS)[keyof typeof KINDS];

/**
 * Who made or last changed a record of an integration's conversation. An integration is not told of its own changes.
 */
export const AUTHORS = ['bot', 'integration'] as const;
export type Author = (typeof AUTHORS)[number];

/** What a user thinks of a message. */
const Feedback = z.object({ value: z.enum(['positive', 'negative']), comment: z.optional(z.string()) });
export type Feedback = z.infer<typeof Feedback>;

const Item = z.object({
  sk: z.string(),
  /** kind */
  k: z.enum(['m', 'e', 'a', 'r', 'd', 'u']),
  /** userId, foreignUserId */
  u: z.string(),
  f: z.optional(z.string()),
  /** generation; absent when 0 */
  g: z.optional(z.number()),
  /** payload, see `largeValue.ts` */
  ...storedValue,
  /** hasMetadata */
  x: z.optional(z.literal(true)),
  /** messageId */
  i: z.optional(z.string()),
  /** type, direction, isSynthetic, isImported, tags */
  y: z.optional(z.string()),
  w: z.optional(z.enum(['i', 'o'])),
  s: z.optional(z.literal(true)),
  j: z.optional(z.literal(true)),
  t: z.optional(Tags),
  /** undelivered */
  q: z.optional(z.string()),
  by: z.optional(z.enum(AUTHORS)),
  /** feedback */
  l: z.optional(Feedback),
  /** version, changedAtMs */
  version: z.optional(z.number()),
  c: z.optional(z.number()),
});

export interface Entry {
  kind: Kind;
  position: string;
  /** The user who wrote it, or whom it is about. */
  userId: string;
  foreignUserId?: string | undefined;
  /** The generation of the conversation. */
  generation: number;
  payload?: StoredValue;
  /** The stored payload is `{ payload, metadata }`, of a message from the newer chat client. */
  hasMetadata?: boolean | undefined;
  /** The message that a `message_deleted` or `message_updated` entry is about. */
  messageId?: string | undefined;
  /** Set for messages of the bot-level interface, whose payload does not contain it. */
  type?: string | undefined;
  direction?: 'incoming' | 'outgoing' | undefined;
  isSynthetic?: boolean | undefined;
  /** Imported history: it does not invoke the bot. */
  isImported?: boolean | undefined;
  tags?: Tags | undefined;
  /** The last that a participant gave. */
  feedback?: Feedback | undefined;
  /** Why the integration of its conversation did not take it. */
  undelivered?: string | undefined;
  /** The integration itself for its own; the bot, or a member, once one of them has changed it. */
  by?: Author | undefined;
  /** Incremented by each change; undefined before the first. */
  version?: number | undefined;
  changedAtMs?: number | undefined;
}

export const createdAtMs = (entry: Entry) => decodeTime(entry.position);

export function parseEntry(item: unknown): Entry {
  const { sk, k, u, f, g = 0, p, z: compressed, o, n, x, i, y, w, s, j, t, q, by, l, version, c } = Item.parse(item);
  return {
    kind: KINDS[k],
    position: positionOf(sk),
    type: y,
    direction: w && (w === 'i' ? 'incoming' : 'outgoing'),
    isSynthetic: s,
    isImported: j,
    tags: t,
    undelivered: q,
    feedback: l,
    by,
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

/** Stored beside tags, because a DynamoDB stream filter cannot test for the presence of a map. */
export const HAS_TAGS = 1;

/** The item of an entry, without its key. */
export const entryItem = (entry: Entry) => ({
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
  by: entry.by,
  h: entry.tags ? HAS_TAGS : undefined,
});
