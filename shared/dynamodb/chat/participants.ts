/**
 * Participants: the one item that an operation on a conversation reads first. It says that the caller may, whether he
 * owns the conversation, and under which names the caller's world knows both, so nothing else needs to be read.
 */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { documents } from '#shared/dynamodb/client.ts';
import {
  conversationPk,
  formerKey,
  participantKey,
  participantPrefix,
  userConversationsPk,
} from '#shared/dynamodb/keys/chat.ts';
import { activityOf, timedSk } from '#shared/dynamodb/keys/lists.ts';
import { readItem } from '#shared/dynamodb/query.ts';
import { unconditional, type Write, WriteConflict, write } from '#shared/dynamodb/transaction.ts';
import { environment } from '#shared/environment.ts';
import { ApiError, notFound } from '#shared/errors.ts';
import { decodeTime } from '#shared/ids.ts';
import type { Conversation } from './conversations.ts';
import type { User } from './users.ts';

export const Participant = z.object({
  conversationId: z.string(),
  userId: z.string(),
  webhookId: z.string(),
  foreignConversationId: z.optional(z.string()),
  foreignUserId: z.optional(z.string()),
  isOwner: z.boolean(),
  generation: z.number(),
  joinedAtMs: z.number(),
  conversationCreatedAtMs: z.number(),
  /** The last message that he has read, once he has said so of one; and when he did. */
  readMessageId: z.optional(z.string()),
  readAtMs: z.optional(z.number()),
  /** Index `lists`: see {@link lastActivityMs}. */
  gsi1Sk: z.string(),
});
export type Participant = z.infer<typeof Participant>;

/** When something was last said in the conversation; kept here so that a user's list is sorted by it. */
export const lastActivityMs = (participant: Participant) => decodeTime(activityOf(participant.gsi1Sk));

export async function findParticipant(botId: string, conversationId: string, userId: string) {
  const item = await readItem(participantKey(botId, conversationId, userId));
  return item && Participant.parse(item);
}

/** The same at half the price: as he was a moment ago. */
export async function findParticipantEventually(botId: string, conversationId: string, userId: string) {
  const { Item } = await documents.send(
    new GetCommand({ TableName: environment.tableName, Key: participantKey(botId, conversationId, userId) }),
  );
  return Item && Participant.parse(Item);
}

/** Everyone who takes part, by user id. @param after the user id that the page before ended with */
export async function listParticipants(
  botId: string,
  conversationId: string,
  { after, limit }: { after?: string | undefined; limit: number },
) {
  const { Items = [] } = await documents.send(
    new QueryCommand({
      TableName: environment.tableName,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': conversationPk(botId, conversationId), ':prefix': participantPrefix },
      ConsistentRead: true,
      Limit: limit,
      ExclusiveStartKey: after === undefined ? undefined : participantKey(botId, conversationId, after),
    }),
  );
  return Items.map(item => Participant.parse(item));
}

/** The conversations a user takes part in, newest activity first. @param after where the page before ended */
export async function listUserConversations(
  botId: string,
  userId: string,
  { after, limit }: { after?: { conversationId: string; gsi1Sk: string } | undefined; limit: number },
) {
  const gsiPk = userConversationsPk(botId, userId);
  const { Items = [] } = await documents.send(
    new QueryCommand({
      TableName: environment.tableName,
      IndexName: 'gsi1',
      KeyConditionExpression: 'gsiPk = :gsiPk',
      ExpressionAttributeValues: { ':gsiPk': gsiPk },
      ScanIndexForward: false,
      Limit: limit,
      ExclusiveStartKey: after && {
        ...participantKey(botId, after.conversationId, userId),
        gsiPk,
        gsi1Sk: after.gsi1Sk,
      },
    }),
  );
  return Items.map(item => Participant.parse(item));
}

/** Refused when he takes part in this life of the conversation already; what a former life left is overwritten. */
export const putNewParticipant = (
  botId: string,
  conversation: Pick<Conversation, 'id' | 'webhookId' | 'foreignId' | 'generation' | 'createdAtMs'>,
  user: Pick<User, 'id' | 'foreignId'>,
  { isOwner, nowMs }: { isOwner: boolean; nowMs: number },
): Write => {
  const participant: Participant = {
    conversationId: conversation.id,
    userId: user.id,
    webhookId: conversation.webhookId,
    foreignConversationId: conversation.foreignId,
    foreignUserId: user.foreignId,
    isOwner,
    generation: conversation.generation,
    joinedAtMs: nowMs,
    conversationCreatedAtMs: conversation.createdAtMs,
    gsi1Sk: timedSk(nowMs, conversation.id),
  };
  return {
    put: {
      Item: {
        ...participantKey(botId, conversation.id, user.id),
        ...participant,
        gsiPk: userConversationsPk(botId, user.id),
        gsi2Sk: timedSk(conversation.createdAtMs, conversation.id),
      },
      ConditionExpression: 'attribute_not_exists(pk) OR generation < :generation',
      ExpressionAttributeValues: { ':generation': conversation.generation },
    },
    // Somebody else added him just now: run again, and find him there.
    onRefused: () => new WriteConflict(),
  };
};

/** Refused unless he takes part in just this life of the conversation and does not own it. That he once did is kept. */
export const removeParticipant = (
  botId: string,
  { conversationId, userId, generation }: Participant,
  shownId: string,
): Write[] => [
  {
    put: { Item: { ...formerKey(botId, conversationId, userId), userId, g: generation || undefined } },
    onRefused: unconditional,
  },
  {
    remove: {
      Key: participantKey(botId, conversationId, userId),
      ConditionExpression: 'generation = :generation AND isOwner = :no',
      ExpressionAttributeValues: { ':generation': generation, ':no': false },
    },
    onRefused: existing =>
      existing?.isOwner === true && existing.generation === generation
        ? new ApiError('InvalidPayload', 'The owner of a conversation cannot be removed from it.')
        : notFound(`The participant ${shownId}`),
  },
];

/** Whether he has read as far as this message already: ids of one conversation are in the order of their messages. */
export const hasRead = ({ readMessageId }: Participant, messageId: string) =>
  readMessageId !== undefined && readMessageId >= messageId;

/** Moves the mark of what he has read forward, in just this participation. Refused when it stands as far already. */
export const advanceReadMark = (
  botId: string,
  { conversationId, userId, generation, joinedAtMs }: Participant,
  { messageId, readAtMs }: { messageId: string; readAtMs: number },
): Write => ({
  update: {
    Key: participantKey(botId, conversationId, userId),
    UpdateExpression: 'SET readMessageId = :message, readAtMs = :at',
    ConditionExpression:
      'generation = :generation AND joinedAtMs = :joined AND (attribute_not_exists(readMessageId) OR readMessageId < :message)',
    ExpressionAttributeValues: {
      ':message': messageId,
      ':at': readAtMs,
      ':generation': generation,
      ':joined': joinedAtMs,
    },
  },
  onRefused: existing =>
    existing?.generation === generation && existing.joinedAtMs === joinedAtMs
      ? new AlreadyRead()
      : new ApiError('Forbidden', 'You do not take part in this conversation any more.'),
});

/** The mark of what somebody has read stands as far, or further, already. */
export class AlreadyRead extends Error {
  override readonly name = 'ReadFurther';
}

/** Ends a participation together with what it belongs to: its conversation or its user. */
export const dropParticipant = (
  botId: string,
  { conversationId, userId, generation, joinedAtMs }: Participant,
): Write => ({
  remove: {
    Key: participantKey(botId, conversationId, userId),
    // He may have left and joined again since he was read.
    ConditionExpression: 'attribute_not_exists(pk) OR (generation = :generation AND joinedAtMs = :joined)',
    ExpressionAttributeValues: { ':generation': generation, ':joined': joinedAtMs },
  },
  onRefused: () => new WriteConflict(),
});

/** Moves the conversation up in its participant's list. Never down, and not when he has left meanwhile. */
export async function bumpActivity(
  botId: string,
  { conversationId, userId }: Participant,
  activityMs: number,
): Promise<void> {
  try {
    await documents.send(
      new UpdateCommand({
        TableName: environment.tableName,
        Key: participantKey(botId, conversationId, userId),
        UpdateExpression: 'SET gsi1Sk = :new',
        ConditionExpression: 'gsi1Sk < :new',
        ExpressionAttributeValues: { ':new': timedSk(activityMs, conversationId) },
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/** Ends a participation by itself. He may have joined a new life of the conversation since he was read: then he stays. */
export async function dropUnlessChanged(botId: string, participant: Participant): Promise<void> {
  try {
    await write([dropParticipant(botId, participant)]);
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error;
  }
}

/** Ends all participations of a life of a conversation, a page at a time. */
export async function dropParticipants(botId: string, conversationId: string, generation: number): Promise<void> {
  const limit = 50;
  let after: string | undefined;
  do {
    const page = await listParticipants(botId, conversationId, { after, limit });
    const former = page.filter(participant => participant.generation <= generation);
    await Promise.all(former.map(participant => dropUnlessChanged(botId, participant)));
    after = page.length === limit ? page.at(-1)!.userId : undefined;
  } while (after);
}
