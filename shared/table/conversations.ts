/** Conversations, as the chat interface knows them. Who takes part is in `participants.ts`, what is said in `timeline.ts`. */

import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { environment } from '../environment.ts';
import { ApiError, notFound } from '../http/errors.ts';
import { documents } from './client.ts';
import { botListing, conversationKey } from './keys.ts';
import type { Write } from './write.ts';

const Conversation = z.object({
  id: z.string(),
  webhookId: z.string(),
  foreignId: z.optional(z.string()),
  ownerId: z.string(),
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

/** What is left of a deleted conversation stays this long: longer than any write under way and any sweep takes. */
const TOMBSTONE_SECONDS = 30 * 24 * 3600;

/** A conversation of this id lived and was deleted; a new one takes the next generation. */
export class ConversationEnded extends Error {
  override readonly name = 'ConversationEnded';
  readonly generation: number;
  readonly countedTo: string | undefined;
  constructor({ generation, countedTo }: { generation: number; countedTo?: string }) {
    super();
    this.generation = generation;
    this.countedTo = countedTo;
  }
}

export async function findConversation(botId: string, conversationId: string): Promise<Conversation | undefined> {
  const { Item } = await documents.send(
    new GetCommand({
      TableName: environment.tableName,
      Key: conversationKey(botId, conversationId),
      ConsistentRead: true,
    }),
  );
  const conversation = Item && Conversation.parse(Item);
  return conversation?.deletedAtMs === undefined ? conversation : undefined;
}

/** Refused with {@link ConversationEnded} when the id lived before, and with AlreadyExists when it lives. */
export const putNewConversation = (botId: string, conversation: Conversation): Write => ({
  put: {
    Item: {
      ...conversationKey(botId, conversation.id),
      ...conversation,
      ...botListing(botId, 'conversations', conversation.id),
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
  refused: existing =>
    existing?.deletedAtMs === undefined
      ? new ApiError(
          'AlreadyExists',
          `A conversation with the id ${conversation.foreignId ?? conversation.id} exists already.`,
        )
      : new ConversationEnded(existing as { generation: number; countedTo?: string }),
});

const LIVES = 'attribute_exists(pk) AND attribute_not_exists(deletedAtMs) AND generation = :generation';

export const conversationMustLive = (botId: string, id: string, generation: number, shownId: string): Write => ({
  check: {
    Key: conversationKey(botId, id),
    ConditionExpression: LIVES,
    ExpressionAttributeValues: { ':generation': generation },
  },
  refused: () => notFound(`The conversation ${shownId}`),
});

/** Leaves a tombstone; the table's stream then has the timeline swept. */
export const endConversation = (
  botId: string,
  id: string,
  generation: number,
  nowMs: number,
  shownId: string,
): Write => ({
  update: {
    Key: conversationKey(botId, id),
    UpdateExpression: 'SET deletedAtMs = :now, #ttl = :ttl REMOVE listPk, listSk',
    ConditionExpression: LIVES,
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ':generation': generation,
      ':now': nowMs,
      ':ttl': Math.floor(nowMs / 1000) + TOMBSTONE_SECONDS,
    },
  },
  refused: () => notFound(`The conversation ${shownId}`),
});
