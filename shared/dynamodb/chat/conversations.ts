/** Conversations. Who takes part is in `participants.ts`, what is said in `timeline.ts`. */
import * as z from 'zod/mini';
import { conversationKey } from '#shared/dynamodb/keys/chat.ts';
import { botListing, timedSk } from '#shared/dynamodb/keys/lists.ts';
import { type Item, readItem, readItems } from '#shared/dynamodb/query.ts';
import { derivedTags, type Tagged, Tags } from '#shared/dynamodb/tags.ts';
import type { Write } from '#shared/dynamodb/transaction.ts';
import { changeItem, type ItemChange } from '#shared/dynamodb/update.ts';
import { ApiError, notFound } from '#shared/errors.ts';

const Conversation = z.object({
  id: z.string(),
  webhookId: z.string(),
  /** What the bot calls the integration that it goes through; empty if through none. */
  integration: z.string(),
  channel: z.string(),
  /** The chat user's own name for it, and who he is: of conversations that began in the chat interface. */
  foreignId: z.optional(z.string()),
  ownerId: z.optional(z.string()),
  tags: Tags,
  properties: Tags,
  /** Messages in the timeline, counted by `countActivity.ts`. */
  messageCount: z.number(),
  currentTaskId: z.optional(z.string()),
  currentWorkflowId: z.optional(z.string()),
  /** Counts the changes that callers made. */
  version: z.number(),
  /**
   * Counts the lives of this id. A caller may delete a conversation and create it anew under his own id at once, while
   * the old timeline is still being swept; entries of another generation are not of this conversation.
   */
  generation: z.number(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  /** Set on what remains of a deleted conversation, so that its generation is not forgotten. */
  deletedAtMs: z.optional(z.number()),
  /** Up to which record of the table's stream its activity is counted, see `countActivity.ts`. */
  countedTo: z.optional(z.string()),
});
export type Conversation = z.infer<typeof Conversation>;

/** By what it is found by its tags. */
export const taggedConversation = ({ id, createdAtMs }: Pick<Conversation, 'id' | 'createdAtMs'>): Tagged => ({
  kind: 'conversation',
  id,
  sortKey: timedSk(createdAtMs, id),
  shardBy: id,
});

export const derivedTagsOfConversation = ({ integration, foreignId, ownerId }: Conversation): Tags =>
  derivedTags(integration, { fid: foreignId, owner: ownerId });
/** All tags of a record, as the bot sees them. */
export const tagsOfConversation = (conversation: Conversation): Tags => ({
  ...conversation.tags,
  ...derivedTagsOfConversation(conversation),
});

/** A conversation at its beginning. */
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

/** What is left of a deleted conversation stays this long: longer than any write under way and any sweep takes. */
const TOMBSTONE_SECONDS = 30 * 24 * 3600;

/** A conversation of this id lived and was deleted; a new one takes the next generation. */
export class ConversationTombstone extends Error {
  override readonly name = 'ConversationEnded';
  readonly generation: number;
  readonly countedTo: string | undefined;
  constructor({ generation, countedTo }: { generation: number; countedTo?: string }) {
    super();
    this.generation = generation;
    this.countedTo = countedTo;
  }
}

/** The conversation that an item is; undefined for what remains of a deleted one. */
export function parseConversation(item: Item | undefined): Conversation | undefined {
  const conversation = item && Conversation.parse(item);
  return conversation?.deletedAtMs === undefined ? conversation : undefined;
}

export const findConversation = async (botId: string, conversationId: string): Promise<Conversation | undefined> =>
  parseConversation(await readItem(conversationKey(botId, conversationId)));

/** Up to 100 at once, in the order of the ids; undefined where there is none. */
export const findConversations = async (botId: string, ids: readonly string[]): Promise<(Conversation | undefined)[]> =>
  (await readItems(ids.map(id => conversationKey(botId, id)))).map(parseConversation);

/** Refused with {@link ConversationTombstone} when the id lived before, and with AlreadyExists when it lives. */
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
          `A conversation with the id ${conversation.foreignId ?? conversation.id} exists already.`,
        )
      : new ConversationTombstone(existing as { generation: number; countedTo?: string }),
});

const LIVES = 'attribute_exists(pk) AND attribute_not_exists(deletedAtMs) AND generation = :generation';

export const conversationMustExist = (botId: string, id: string, generation: number, shownId: string): Write => ({
  check: {
    Key: conversationKey(botId, id),
    ConditionExpression: LIVES,
    ExpressionAttributeValues: { ':generation': generation },
  },
  onRefused: () => notFound(`The conversation ${shownId}`),
});

/** Leaves a tombstone; the table's stream then has the timeline swept. */
export const tombstoneConversation = (
  botId: string,
  id: string,
  generation: number,
  nowMs: number,
  shownId: string,
): Write => ({
  update: {
    Key: conversationKey(botId, id),
    UpdateExpression: 'SET deletedAtMs = :now, #ttl = :ttl REMOVE gsiPk, gsi1Sk, gsi2Sk',
    ConditionExpression: LIVES,
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ':generation': generation,
      ':now': nowMs,
      ':ttl': Math.floor(nowMs / 1000) + TOMBSTONE_SECONDS,
    },
  },
  onRefused: () => notFound(`The conversation ${shownId}`),
});

/**
 * Changes what callers can change of a conversation.
 * @throws what `refused` makes of it when the conversation is gone or a condition of the change does not hold
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
      conditions: [LIVES, ...conditions],
      values: { ...values, ':generation': generation },
    },
    existing => onRefused(existing?.generation === generation ? parseConversation(existing) : undefined),
  );
  return Conversation.parse(item);
}
