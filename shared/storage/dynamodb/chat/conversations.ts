import * as z from 'zod/mini';
import { ApiError, notFound } from '#shared/core/errors.ts';
import { type Item, readItem, readItems } from '#shared/storage/dynamodb/engine/query.ts';
import { unconditional, type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { changeItem, type ItemChange } from '#shared/storage/dynamodb/engine/update.ts';
import { conversationKey } from '#shared/storage/dynamodb/keys/chat.ts';
import { botListing, timedSk } from '#shared/storage/dynamodb/keys/lists.ts';
import { splitPk } from '#shared/storage/dynamodb/keys/table.ts';
import {
  botList,
  botListParts,
  END,
  isBehind,
  mergeParts,
  type Range,
  shiftBound,
  sortByCurrentKeys,
} from '#shared/storage/dynamodb/lists/lists.ts';
import { derivedTags, type Tagged, Tags, tagValueKeys } from '#shared/storage/dynamodb/tags/tags.ts';
import { AUTHORS } from './entry.ts';

const Conversation = z.object({
  id: z.string(),
  webhookId: z.string(),
  integration: z.string(),
  channel: z.string(),
  /** Chosen by the chat user who created it, with that user's id. Undefined outside of the chat API. */
  foreignId: z.optional(z.string()),
  ownerId: z.optional(z.string()),
  tags: Tags,
  properties: Tags,
  messageCount: z.number(),
  currentTaskId: z.optional(z.string()),
  currentWorkflowId: z.optional(z.string()),
  handoffId: z.optional(z.string()),
  /** A session of the integration inbox: members converse with the bot, which forwards the messages of users. */
  isHitlSession: z.optional(z.boolean()),
  version: z.number(),
  /** Incremented when a deleted id is created again, possibly before the old timeline is deleted. */
  generation: z.number(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  by: z.optional(z.enum(AUTHORS)),
  deletedAtMs: z.optional(z.number()),
  countedTo: z.optional(z.string()),
  /** Day of the last counted activity. */
  activeDay: z.optional(z.string()),
  /** Position of the last counted message, which may have been deleted. */
  lastPosition: z.optional(z.string()),
  /** The end user who wrote last. */
  lastUserId: z.optional(z.string()),
  /** Labels of the workspace, which may have been deleted since. */
  labelIds: z.optional(z.array(z.string())),
});
export type Conversation = z.infer<typeof Conversation>;

export const conversationInImage = (image: Item): Conversation | undefined =>
  image.id === undefined ? undefined : parseConversation(image);

export const taggedConversation = ({ id, createdAtMs }: Pick<Conversation, 'id' | 'createdAtMs'>): Tagged => ({
  kind: 'conversation',
  id,
  sortKey: timedSk(createdAtMs, id),
  shardBy: id,
});

export const derivedTagsOfConversation = ({ integration, foreignId, ownerId }: Conversation): Tags =>
  derivedTags(integration, { fid: foreignId, owner: ownerId });

export const tagsOfConversation = (conversation: Conversation): Tags => ({
  ...conversation.tags,
  ...derivedTagsOfConversation(conversation),
});

export const newConversation = (
  start: Pick<Conversation, 'id' | 'webhookId' | 'integration' | 'channel'> &
    Partial<Pick<Conversation, 'foreignId' | 'ownerId' | 'tags' | 'properties' | 'isHitlSession'>>,
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

/** Exceeds the duration of any write in flight and any sweep of the old timeline. */
const TOMBSTONE_SECONDS = 30 * 24 * 3600;

export interface Tombstone {
  generation: number;
  countedTo?: string | undefined;
}

/** The id belongs to a deleted conversation. The new conversation must continue from its {@link Tombstone}. */
export class TombstoneConflict extends Error {
  override readonly name = 'TombstoneConflict';
  readonly tombstone: Tombstone;
  constructor(tombstone: Tombstone) {
    super();
    this.tombstone = tombstone;
  }
}

export const afterTombstone = (conversation: Conversation, tombstone: Tombstone | undefined): Conversation =>
  tombstone ? { ...conversation, generation: tombstone.generation + 1, countedTo: tombstone.countedTo } : conversation;

export function parseConversation(item: Item | undefined): Conversation | undefined {
  const conversation = item && Conversation.parse(item);
  return conversation?.deletedAtMs === undefined ? conversation : undefined;
}

export const findConversation = async (botId: string, conversationId: string): Promise<Conversation | undefined> =>
  parseConversation(await readItem(conversationKey(botId, conversationId)));

export const findConversations = async (botId: string, ids: readonly string[]): Promise<(Conversation | undefined)[]> =>
  (await readItems(ids.map(id => conversationKey(botId, id)))).map(parseConversation);

export const findConversationsOfBots = async (
  refs: readonly { botId: string; conversationId: string }[],
): Promise<(Conversation | undefined)[]> =>
  (await readItems(refs.map(({ botId, conversationId }) => conversationKey(botId, conversationId)))).map(
    parseConversation,
  );

/** Lists the ids of the conversations of several bots, newest activity first by up to {@link UPDATE_LAG_MS}. */
export async function* listConversationIdsOfBots(
  botIds: readonly string[],
  after: string | undefined,
): AsyncGenerator<{ sortKey: string; botId: string; conversationId: string }> {
  const parts = botIds.flatMap(botId => botListParts(botId, 'conversations', 'gsi2'));
  for await (const { sortKey, item } of mergeParts(parts, { direction: 'desc', first: '', last: END, after })) {
    const { botId, id } = splitPk(item.pk);
    yield { sortKey, botId, conversationId: id };
  }
}

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

export const conversationSortKey = (
  conversation: Pick<Conversation, 'id' | 'createdAtMs' | 'updatedAtMs'>,
  by: TimeField,
) => timedSk(by === 'createdAt' ? conversation.createdAtMs : conversation.updatedAtMs, conversation.id);

/** Maximum lag of the list by update. It saves moving the conversation with every message. */
export const UPDATE_LAG_MS = 10_000;

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

/** Sorts by the current `updatedAt`: reads ahead by the lag of the index. */
function listByUpdate(botId: string, range: Range) {
  const { first, after } = range;
  const from = range.direction === 'asc' && after !== undefined && isBehind(after, first) ? after : first;
  const index = {
    direction: range.direction,
    first: shiftBound(from, -UPDATE_LAG_MS),
    last: range.last,
    // Index positions are never ahead, so descending order can start at the position.
    after: range.direction === 'desc' ? after : undefined,
  };
  const places = botList(botId, 'conversations', 'gsi2', index);
  return sortByCurrentKeys(places, range, UPDATE_LAG_MS, item => {
    const record = parseConversation(item);
    return record && { sortKey: conversationSortKey(record, 'updatedAt'), record };
  });
}

/** Fails with {@link TombstoneConflict} for the id of a deleted conversation, and AlreadyExists for an id in use. */
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

export const conversationMustExist = (botId: string, id: string, generation: number, shownId: string): Write => ({
  check: {
    Key: conversationKey(botId, id),
    ConditionExpression: EXISTS,
    ExpressionAttributeValues: { ':generation': generation },
  },
  onRefused: () => notFound(`The conversation ${shownId}`),
});

/**
 * Attributes of a tombstone. All other attributes, including those that a later release adds, are deleted with the
 * conversation.
 */
const KEPT = [
  'id',
  'webhookId',
  'integration',
  'channel',
  'messageCount',
  'version',
  'generation',
  'createdAtMs',
  'updatedAtMs',
  'countedTo',
  'activeDay',
] as const satisfies (keyof Conversation)[];

/**
 * Replaces the conversation with a tombstone without personal data. The stream then triggers the sweep. Fails with
 * {@link WriteConflict} if an activity was counted since the read.
 */
export const tombstoneConversation = (
  botId: string,
  conversation: Conversation,
  nowMs: number,
  shownId: string,
): Write => {
  const { id, generation, countedTo } = conversation;
  return {
    put: {
      Item: {
        ...conversationKey(botId, id),
        ...Object.fromEntries(KEPT.map(name => [name, conversation[name]])),
        tags: {},
        properties: {},
        deletedAtMs: nowMs,
        ttl: Math.floor(nowMs / 1000) + TOMBSTONE_SECONDS,
      },
      ConditionExpression: `${EXISTS} AND ${countedTo ? 'countedTo = :countedTo' : 'attribute_not_exists(countedTo)'}`,
      ExpressionAttributeValues: { ':generation': generation, ...(countedTo ? { ':countedTo': countedTo } : {}) },
    },
    onRefused: existing =>
      existing?.generation === generation && existing.deletedAtMs === undefined
        ? new WriteConflict()
        : notFound(`The conversation ${shownId}`),
  };
};

export const disownConversation = (botId: string, id: string, ownerId: string): Write => ({
  update: {
    Key: conversationKey(botId, id),
    UpdateExpression: 'REMOVE ownerId',
    ConditionExpression: 'ownerId = :owner',
    ExpressionAttributeValues: { ':owner': ownerId },
  },
  onRefused: unconditional,
});

/** Until another user writes, the conversation has no user who wrote last. */
export const forgetLastUser = (botId: string, id: string, userId: string): Write => ({
  update: {
    Key: conversationKey(botId, id),
    UpdateExpression: 'REMOVE lastUserId',
    ConditionExpression: 'lastUserId = :user',
    ExpressionAttributeValues: { ':user': userId },
  },
  onRefused: unconditional,
});

export const setHandoff = (
  botId: string,
  { id, generation, handoffId }: Pick<Conversation, 'id' | 'generation' | 'handoffId'>,
  newHandoffId: string,
): Write => ({
  update: {
    Key: conversationKey(botId, id),
    UpdateExpression: 'SET handoffId = :handoff',
    ConditionExpression: `${EXISTS} AND ${handoffId === undefined ? 'attribute_not_exists(handoffId)' : 'handoffId = :before'}`,
    ExpressionAttributeValues: {
      ':generation': generation,
      ':handoff': newHandoffId,
      ...(handoffId === undefined ? {} : { ':before': handoffId }),
    },
  },
  onRefused: () => new WriteConflict(),
});

/** Replaces the labels that were read. Does not count as an activity of the conversation. */
export const setLabels = (
  botId: string,
  { id, generation, labelIds }: Pick<Conversation, 'id' | 'generation' | 'labelIds'>,
  next: readonly string[],
): Write => ({
  update: {
    Key: conversationKey(botId, id),
    UpdateExpression: `${next.length > 0 ? 'SET labelIds = :next' : 'REMOVE labelIds'} ADD version :one`,
    ConditionExpression: `${EXISTS} AND ${labelIds === undefined ? 'attribute_not_exists(labelIds)' : 'labelIds = :before'}`,
    ExpressionAttributeValues: {
      ':generation': generation,
      ':one': 1,
      ...(next.length > 0 ? { ':next': next } : {}),
      ...(labelIds === undefined ? {} : { ':before': labelIds }),
    },
  },
  onRefused: () => new WriteConflict(),
});

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
