/** Timeline entries. One-letter attributes (see `parseEntry`), because write units have one kilobyte. */
import * as z from 'zod/mini';
import { decodeTime } from '#shared/core/ids.ts';
import type { StoredValue } from '#shared/storage/dynamodb/engine/largeValue.ts';
import { storedValue } from '#shared/storage/dynamodb/engine/largeValue.ts';
import { positionOf } from '#shared/storage/dynamodb/keys/chat.ts';
import { Tags } from '#shared/storage/dynamodb/tags/tags.ts';

const KINDS = {
  m: 'message',
  e: 'event',
  a: 'participant_added',
  r: 'participant_removed',
  d: 'message_deleted',
  u: 'message_updated',
} as const;
type Kind = (typeof KINDS)[keyof typeof KINDS];

/** Authors of a record's last change. Integrations do not receive their own changes. */
export const AUTHORS = ['bot', 'integration'] as const;
export type Author = (typeof AUTHORS)[number];

const Feedback = z.object({ value: z.enum(['positive', 'negative']), comment: z.optional(z.string()) });
export type Feedback = z.infer<typeof Feedback>;

const Item = z.object({
  sk: z.string(),
  k: z.enum(['m', 'e', 'a', 'r', 'd', 'u']),
  u: z.string(),
  f: z.optional(z.string()),
  g: z.optional(z.number()),
  ...storedValue,
  x: z.optional(z.literal(true)),
  i: z.optional(z.string()),
  y: z.optional(z.string()),
  w: z.optional(z.enum(['i', 'o'])),
  s: z.optional(z.literal(true)),
  j: z.optional(z.literal(true)),
  t: z.optional(Tags),
  q: z.optional(z.string()),
  by: z.optional(z.enum(AUTHORS)),
  l: z.optional(Feedback),
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
  /** The stored payload is `{ payload, metadata }`, from the newer chat client. */
  hasMetadata?: boolean | undefined;
  messageId?: string | undefined;
  /** Set for messages of the bot API, whose payload does not contain it. */
  type?: string | undefined;
  direction?: 'incoming' | 'outgoing' | undefined;
  isSynthetic?: boolean | undefined;
  isImported?: boolean | undefined;
  tags?: Tags | undefined;
  feedback?: Feedback | undefined;
  undelivered?: string | undefined;
  /** `integration` until the bot or a member changes the record. */
  by?: Author | undefined;
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

/** Stored beside tags, because a stream filter cannot test for the presence of a map. */
export const HAS_TAGS = 1;

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
