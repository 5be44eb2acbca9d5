/** Timeline entries. */
import * as z from 'zod/mini';
import { decodeTime } from '#shared/core/ids.ts';
import { type Aliases, decode, encode, invert } from '#shared/storage/dynamodb/engine/aliases.ts';
import { StoredValue } from '#shared/storage/dynamodb/engine/largeValue.ts';
import type { Item } from '#shared/storage/dynamodb/engine/query.ts';
import { positionOf } from '#shared/storage/dynamodb/keys/chat.ts';
import type { OF_GENERATION } from '#shared/storage/dynamodb/keys/generation.ts';
import { Tags } from '#shared/storage/dynamodb/tags/tags.ts';

/** Authors of a record's last change. Integrations do not receive their own changes. */
export const AUTHORS = ['bot', 'integration'] as const;
export type Author = (typeof AUTHORS)[number];

const Feedback = z.object({ value: z.enum(['positive', 'negative']), comment: z.optional(z.string()) });
export type Feedback = z.infer<typeof Feedback>;

export const ENTRY = {
  kind: 'k',
  userId: 'u',
  foreignUserId: 'f',
  generation: 'g',
  hasMetadata: 'x',
  messageId: 'i',
  type: 'y',
  direction: 'w',
  isSynthetic: 's',
  isImported: 'j',
  tags: 't',
  hasTags: 'h',
  undelivered: 'q',
  feedback: 'l',
  changedAtMs: 'c',
} as const satisfies Aliases & typeof OF_GENERATION;

/** Stored values of `kind`. */
export const ENTRY_KINDS = {
  message: 'm',
  event: 'e',
  participant_added: 'a',
  participant_removed: 'r',
  message_deleted: 'd',
  message_updated: 'u',
} as const;
export type EntryKind = keyof typeof ENTRY_KINDS;

const Stored = z.object({
  sk: z.string(),
  k: z.enum(ENTRY_KINDS),
  u: z.string(),
  f: z.optional(z.string()),
  g: z.optional(z.number()),
  x: z.optional(z.literal(true)),
  i: z.optional(z.string()),
  y: z.optional(z.string()),
  w: z.optional(z.enum(['i', 'o'])),
  s: z.optional(z.literal(true)),
  j: z.optional(z.literal(true)),
  t: z.optional(Tags),
  q: z.optional(z.string()),
  l: z.optional(Feedback),
  c: z.optional(z.number()),
  by: z.optional(z.enum(AUTHORS)),
  version: z.optional(z.number()),
} satisfies Record<'sk' | 'by' | 'version' | Exclude<(typeof ENTRY)[keyof typeof ENTRY], 'h'>, z.ZodMiniType>);

export interface Entry {
  kind: EntryKind;
  position: string;
  userId: string;
  foreignUserId?: string | undefined;
  generation: number;
  payload?: StoredValue;
  /** The stored payload is `{ payload, metadata }`, from the newer chat client. */
  hasMetadata?: true | undefined;
  messageId?: string | undefined;
  /** Set for messages of the bot API, whose payload does not contain it. */
  type?: string | undefined;
  direction?: 'incoming' | 'outgoing' | undefined;
  isSynthetic?: true | undefined;
  isImported?: true | undefined;
  tags?: Tags | undefined;
  feedback?: Feedback | undefined;
  undelivered?: string | undefined;
  /** `integration` until the bot or a member changes the record. */
  by?: Author | undefined;
  version?: number | undefined;
  changedAtMs?: number | undefined;
}

/**
 * Returns false for messages of the bot and of members. In a session of the integration inbox, the bot forwards the
 * messages of users.
 */
export const isOfEndUser = (
  botId: string,
  { userId, direction }: Pick<Entry, 'userId' | 'direction'>,
  isHitlSession: boolean,
): boolean => userId !== botId && (direction === 'outgoing') === isHitlSession;

export const createdAtMs = (entry: Entry) => decodeTime(entry.position);

export function parseEntry(item: Item): Entry {
  const { sk, kind, direction, generation = 0, ...stored } = decode(ENTRY, Stored.parse(item));
  return {
    ...stored,
    kind: invert(ENTRY_KINDS)[kind],
    position: positionOf(sk),
    generation,
    direction: direction && (direction === 'i' ? 'incoming' : 'outgoing'),
    payload: StoredValue.parse(item),
  };
}

/** Stored beside tags, because a stream filter cannot test for the presence of a map. */
export const HAS_TAGS = 1;

/** Returns the attributes that {@link parseEntry} reads. */
export const entryItem = ({ position: _, payload, kind, direction, generation, ...entry }: Entry) =>
  encode(ENTRY, {
    ...entry,
    ...payload,
    kind: ENTRY_KINDS[kind],
    direction: direction?.[0],
    generation: generation || undefined,
    hasTags: entry.tags && HAS_TAGS,
  });
