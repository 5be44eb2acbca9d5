/** Conversations. Their participants are in `participants.ts`, their messages and events in `timeline.ts`. */
import * as z from 'zod/mini';
import { ApiError, notFound } from '#shared/core/errors.ts';
import { conversationKey } from '#shared/storage/dynamodb/keys/chat.ts';
import { botListing, timedSk } from '#shared/storage/dynamodb/keys/lists.ts';
import { botList, isBehind, type Range, shifted, sortedAhead } from '#shared/storage/dynamodb/lists.ts';
import { type Item, readItem, readItems } from '#shared/storage/dynamodb/query.ts';
import { derivedTags, type Tagged, Tags, tagValueKeys } from '#shared/storage/dynamodb/tags.ts';
import { unconditional, type Write } from '#shared/storage/dynamodb/transaction.ts';
import { changeItem, type ItemChange } from '#shared/storage/dynamodb/update.ts';
import { AUTHORS } from './entry.ts';

const Conversation = z.object({
  id: z.string(),
  webhookId: z.string(),
  /** The bot's name for the integration; empty without one. */
  integration: z.string(),
  channel: z.string(),
  /** The id chosen by the chat user who created it, and that user's id; absent outside the chat interface. */
  foreignId: z.optional(z.string()),
  ownerId: z.optional(z.string()),
  tags: Tags,
  properties: Tags,
  /** Messages in the timeline, maintained by `activity.ts`. */
  messageCount: z.number(),
  currentTaskId: z.optional(z.string()),
  currentWorkflowId: z.optional(z.string()),
  /** Incremented by each change that a caller makes. */
  version: z.number(),
  /**
   * Incremented when a deleted id is created again. Callers may reuse their own id at once, while the old timeline is
   * still being swept: entries of another generation do not belong to this conversation.
   */
  generation: z.number(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  /** Who made the last change: see `AUTHORS`. */
  by: z.optional(z.enum(AUTHORS)),
  /** Set on the tombstone of a deleted conversation, which preserves its generation. */
  deletedAtMs: z.optional(z.number()),
  /** The stream sequence number up to which activity has been counted, see `activity.ts`. */
  countedTo: z.optional(z.string()),
});
export type Conversation = z.infer<typeof Conversation>;

/** A conversation in an image of the table's stream. @returns undefined for a tombstone, or none */
export const conversationInImage = (image: Item): Conversation | undefined =>
  image.id === undefined ? undefined : parseConversation(image);

/** The conversation's entry in tag indexes. */
export const taggedConversation = ({ id, createdAtMs }: Pick<Conversation, 'id' | 'createdAtMs'>): Tagged => ({
  kind: 'conversation',
  id,
  sortKey: timedSk(createdAtMs, id),
  shardBy: id,
});

export const derivedTagsOfConversation = ({ integration, foreignId, ownerId }: Conversation): Tags =>
  derivedTags(integration, { fid: foreignId, owner: ownerId });

/** Stored and derived tags, named as the bot sees them. */
export const tagsOfConversation = (conversation: Conversation): Tags => ({
  ...conversation.tags,
  ...derivedTagsOfConversation(conversation),
});

/** A conversation in its initial state, not yet written. */
export const newConversation = (
  start: Pick<Conversation, 'id' | 'webhookId' | 'integration' | 'channel'> &
    Partial<Pick<Conversation, 'foreignId' | 'ownerId' | 'tags' | 'properties'>>,
  nowMs: number,
): Conversation => ({
  tags: {},
  properties: {},
  ...start,
  messageCount: 0,
  version: 1,
  generation: 0,
  createdAtMs: nowMs,
  updatedAtMs: nowMs,
});

/** Outlasts any write in flight and any sweep of the old timeline. */
const TOMBSTONE_SECONDS = 30 * 24 * 3600;

/** The part of a deleted conversation that the next one with its id continues. */
export interface Tombstone {
  generation: number;
  countedTo?: string | undefined;
}

/** The id belongs to a deleted conversation; the new one must continue after its {@link Tombstone}. */
export class TombstoneConflict extends Error {
  override readonly name = 'TombstoneConflict';
  readonly tombstone: Tombstone;
  constructor(tombstone: Tombstone) {
    super();
    this.tombstone = tombstone;
  }
}

/** The conversation in the generation after the deleted one's, if there was one. */
export const afterTombstone = (conversation: Conversation, tombstone: Tombstone | undefined): Conversation =>
  tombstone ? { ...conversation, generation: tombstone.generation + 1, countedTo: tombstone.countedTo } : conversation;

/** @returns undefined for a tombstone */
export function parseConversation(item: Item | undefined): Conversation | undefined {
  const conversation = item && Conversation.parse(item);
  return conversation?.deletedAtMs === undefined ? conversation : undefined;
}

export const findConversation = async (botId: string, conversationId: string): Promise<Conversation | undefined> =>
  parseConversation(await readItem(conversationKey(botId, conversationId)));

/** In the order of the ids; undefined where there is none. */
export const findConversations = async (botId: string, ids: readonly string[]): Promise<(Conversation | undefined)[]> =>
  (await readItems(ids.map(id => conversationKey(botId, id)))).map(parseConversation);

/** The occupant of a conversation id: a conversation, the tombstone of one, or neither. */
export interface ConversationSlot {
  id: string;
  record?: Conversation | undefined;
  tombstone?: Tombstone | undefined;
}

function slotOf(id: string, item: Item | undefined): ConversationSlot {
  const conversation = item && Conversation.parse(item);
  return conversation?.deletedAtMs === undefined ? { id, record: conversation } : { id, tombstone: conversation };
}

export const findConversationSlot = async (botId: string, id: string): Promise<ConversationSlot> =>
  slotOf(id, await readItem(conversationKey(botId, id)));

/** Conversation ids and, in the same read, for each tag whether its value was ever used by a conversation. */
export async function findConversationSlots(
  botId: string,
  ids: readonly string[],
  tags: Tags,
): Promise<{ slots: ConversationSlot[]; areKnown: boolean[] }> {
  const items = await readItems([
    ...ids.map(id => conversationKey(botId, id)),
    ...tagValueKeys(botId, 'conversation', tags),
  ]);
  return {
    slots: ids.map((id, i) => slotOf(id, items[i])),
    areKnown: items.slice(ids.length).map(item => item !== undefined),
  };
}

export type TimeField = 'createdAt' | 'updatedAt';

/** The conversation's position in {@link listConversations}. */
export const conversationSortKey = (
  conversation: Pick<Conversation, 'id' | 'createdAtMs' | 'updatedAtMs'>,
  by: TimeField,
) => timedSk(by === 'createdAt' ? conversation.createdAtMs : conversation.updatedAtMs, conversation.id);

/**
 * The place of a conversation in the list by update trails its `updatedAt` by less than this, so that a conversation
 * that is talked in moves in the index once in a while and not with every message.
 */
export const UPDATE_LAG_MS = 10_000;

/** All conversations of a bot. */
export async function* listConversations(
  botId: string,
  by: TimeField,
  range: Range,
): AsyncGenerator<{ sortKey: string; record: Conversation | undefined }> {
  if (by === 'updatedAt') return yield* listByUpdate(botId, range);
  for await (const { sortKey, item } of botList(botId, 'conversations', 'gsi1', range)) {
    yield { sortKey, record: parseConversation(item) };
  }
}

/**
 * Puts the conversations of the index in the order of their `updatedAt`: reads as far ahead as its places trail behind.
 */
function listByUpdate(botId: string, range: Range) {
  const { first, after } = range;
  const from = range.direction === 'asc' && after !== undefined && isBehind(after, first) ? after : first;
  const index = {
    direction: range.direction,
    first: shifted(from, -UPDATE_LAG_MS),
    last: range.last,
    // Places are never ahead: what comes after a position in descending order has a place below it, too.
    after: range.direction === 'desc' ? after : undefined,
  };
  const places = botList(botId, 'conversations', 'gsi2', index);
  return sortedAhead(places, range, UPDATE_LAG_MS, item => {
    const record = parseConversation(item);
    return record && { sortKey: conversationSortKey(record, 'updatedAt'), record };
  });
}

/**
 * The write is refused with {@link TombstoneConflict} when the id belonged to a deleted conversation, and with
 * AlreadyExists when it is in use.
 */
export const putNewConversation = (botId: string, conversation: Conversation): Write => ({
  put: {
    Item: {
      ...conversationKey(botId, conversation.id),
      ...conversation,
      ...botListing(botId, 'conversations', conversation),
    },
    ...(conversation.generation === 0
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : {
          ConditionExpression: `attribute_not_exists(pk) OR (attribute_exists(deletedAtMs) AND generation < :generation AND ${conversation.countedTo ? 'countedTo = :countedTo' : 'attribute_not_exists(countedTo)'})`,
          ExpressionAttributeValues: {
            ':generation': conversation.generation,
            ...(conversation.countedTo ? { ':countedTo': conversation.countedTo } : {}),
          },
        }),
  },
  onRefused: existing =>
    existing?.deletedAtMs === undefined
      ? new ApiError(
          'AlreadyExists',
          `A conversation with the id ${conversation.foreignId ?? conversation.id} already exists.`,
        )
      : new TombstoneConflict(existing as unknown as Tombstone),
});

const EXISTS = 'attribute_exists(pk) AND attribute_not_exists(deletedAtMs) AND generation = :generation';

/** @param shownId the caller's name for the conversation */
export const conversationMustExist = (botId: string, id: string, generation: number, shownId: string): Write => ({
  check: {
    Key: conversationKey(botId, id),
    ConditionExpression: EXISTS,
    ExpressionAttributeValues: { ':generation': generation },
  },
  onRefused: () => notFound(`The conversation ${shownId}`),
});

/**
 * Replaces the conversation with a tombstone, which tells of no person; the DynamoDB stream then triggers the sweep of
 * its timeline.
 */
export const tombstoneConversation = (
  botId: string,
  id: string,
  generation: number,
  nowMs: number,
  shownId: string,
): Write => ({
  update: {
    Key: conversationKey(botId, id),
    UpdateExpression:
      'SET deletedAtMs = :now, #ttl = :ttl, tags = :none, properties = :none REMOVE gsiPk, gsi1Sk, gsi2Sk, ownerId, foreignId',
    ConditionExpression: EXISTS,
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ':generation': generation,
      ':none': {},
      ':now': nowMs,
      ':ttl': Math.floor(nowMs / 1000) + TOMBSTONE_SECONDS,
    },
  },
  onRefused: () => notFound(`The conversation ${shownId}`),
});

/** Nobody owns the conversation any more. Without effect when somebody else does. */
export const disownConversation = (botId: string, id: string, ownerId: string): Write => ({
  update: {
    Key: conversationKey(botId, id),
    UpdateExpression: 'REMOVE ownerId',
    ConditionExpression: 'ownerId = :owner',
    ExpressionAttributeValues: { ':owner': ownerId },
  },
  onRefused: unconditional,
});

/**
 * Changes the fields that callers can change.
 * @throws the error that `onRefused` returns when the conversation is gone or a condition of the change fails
 */
export async function changeConversation(
  botId: string,
  { id, generation }: Pick<Conversation, 'id' | 'generation'>,
  { fields, conditions = [], values, ...change }: ItemChange,
  { nowMs, onRefused }: { nowMs: number; onRefused: (existing: Conversation | undefined) => Error },
): Promise<Conversation> {
  const item = await changeItem(
    conversationKey(botId, id),
    {
      ...change,
      fields: { ...fields, updatedAtMs: nowMs, gsi2Sk: timedSk(nowMs, id) },
      conditions: [EXISTS, ...conditions],
      values: { ...values, ':generation': generation },
    },
    existing => onRefused(existing?.generation === generation ? parseConversation(existing) : undefined),
  );
  return Conversation.parse(item);
}
