/**
 * Outbound messages for integrations and their changes, and signals for the webhooks of chats. Stored beside the
 * conversation, like events.
 */

import * as z from 'zod/mini';
import { startOf } from '#shared/core/excerpt.ts';
import { decode, encode } from '#shared/storage/dynamodb/engine/aliases.ts';
import { assign } from '#shared/storage/dynamodb/engine/assign.ts';
import { storedValue } from '#shared/storage/dynamodb/engine/largeValue.ts';
import { type Item, readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { sortableSequence } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { outgoingKey, outgoingListing, outgoingPrefix } from '#shared/storage/dynamodb/keys/chat.ts';
import { OF_GENERATION } from '#shared/storage/dynamodb/keys/generation.ts';
import { botList, type Range } from '#shared/storage/dynamodb/lists/lists.ts';
import { EVENT_STATUSES, REASON_LENGTH } from './events.ts';
import { listPending } from './pending.ts';

const RETENTION_SECONDS = 90 * 24 * 3600;

const Stored = z.object({
  id: z.string(),
  operation: z.enum(['message_created', 'message_updated', 'conversation_updated', 'signal']),
  status: z.enum(EVENT_STATUSES),
  failureReason: z.optional(z.string()),
  conversationId: z.string(),
  webhookId: z.string(),
  messageId: z.optional(z.string()),
  userId: z.optional(z.string()),
  /** The timeline entry of a signal, and the signal's type. */
  position: z.optional(z.string()),
  signal: z.optional(z.string()),
  g: z.optional(z.number()),
  replays: z.optional(z.number()),
  createdAtMs: z.number(),
  ...storedValue,
});
export const parseOutgoing = (item: Item) => decode(OF_GENERATION, Stored.parse(item));
export type Outgoing = ReturnType<typeof parseOutgoing>;
/** A change in a conversation of an integration. */
export type OutgoingChange = Outgoing & { operation: Exclude<Outgoing['operation'], 'signal'> };
export type OutgoingSignal = Outgoing & { operation: 'signal' };

const SEQUENCE_LENGTH = sortableSequence('').length;
const OUTGOING_ID = new RegExp(`^out_([0-9]{${SEQUENCE_LENGTH}})([0-9A-Za-z]{22})$`);

/** Returns the id for a change. Sequence numbers are in the order of the changes and stable across redelivery. */
export const outgoingId = (conversationId: string, sequenceNumber: string) =>
  `out_${sortableSequence(sequenceNumber)}${conversationId.slice('convo_'.length)}`;

/** Returns the conversation of an id, and its position in the order there. Undefined for other ids. */
export function parseOutgoingId(id: string): { conversationId: string; position: string } | undefined {
  const [, position, conversation] = OUTGOING_ID.exec(id) ?? [];
  return position && conversation ? { conversationId: `convo_${conversation}`, position } : undefined;
}

const keyOf = (botId: string, id: string) => {
  const { conversationId, position } = parseOutgoingId(id)!;
  return outgoingKey(botId, conversationId, position);
};

/** Fails with {@link WriteConflict} when the stream redelivers a change. */
export const putNewOutgoing = (botId: string, outgoing: Outgoing): Write => ({
  put: {
    Item: {
      ...keyOf(botId, outgoing.id),
      ...encode(OF_GENERATION, outgoing),
      ttl: Math.floor(outgoing.createdAtMs / 1000) + RETENTION_SECONDS,
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
  onRefused: () => new WriteConflict(),
});

export function setOutgoingStatus(
  botId: string,
  outgoing: Outgoing,
  status: Outgoing['status'],
  { failureReason, isReplay = false }: { failureReason?: string; isReplay?: boolean } = {},
): Write {
  const changes = {
    status,
    failureReason: failureReason && startOf(failureReason, REASON_LENGTH),
    ...(status === 'failed' ? outgoingListing(botId, outgoing) : {}),
    ...(isReplay ? { failureReason: null, gsiPk: null, gsi2Sk: null } : {}),
  };
  return {
    update: {
      Key: keyOf(botId, outgoing.id),
      ...assign(changes, { count: isReplay ? 'replays' : undefined, values: { ':before': outgoing.status } }),
      ConditionExpression: '#status = :before',
    },
    onRefused: () => new WriteConflict(),
  };
}

export async function findOutgoing(botId: string, id: string): Promise<Outgoing | undefined> {
  if (!parseOutgoingId(id)) return undefined;
  const item = await readItem(keyOf(botId, id));
  return item && parseOutgoing(item);
}

export async function listPendingOutgoing(
  botId: string,
  conversationId: string,
  from: string,
): Promise<{ records: Outgoing[]; next?: string }> {
  const { items, ...rest } = await listPending(botId, conversationId, { prefix: outgoingPrefix, from });
  return { records: items.map(parseOutgoing), ...rest };
}

export async function* listFailedOutgoing(
  botId: string,
  range: Range,
): AsyncGenerator<{ sortKey: string; outgoing: Outgoing }> {
  for await (const { sortKey, item } of botList(botId, 'outgoing', 'gsi2', range)) {
    yield { sortKey, outgoing: parseOutgoing(item) };
  }
}
