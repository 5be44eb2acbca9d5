/** Most operations only read this item: it proves access and ownership, and contains both foreign ids. */
import * as z from 'zod/mini';
import { ApiError, notFound } from '#shared/core/errors.ts';
import {
  type Item,
  prefixQuery,
  queryPage,
  readItem,
  readItems,
  readItemsEventually,
} from '#shared/storage/dynamodb/engine/query.ts';
import {
  retryConflicts,
  tryWrite,
  unconditional,
  type Write,
  WriteConflict,
} from '#shared/storage/dynamodb/engine/transaction.ts';
import {
  conversationPk,
  formerKey,
  formerPrefix,
  participantKey,
  participantPrefix,
  userConversationsPk,
} from '#shared/storage/dynamodb/keys/chat.ts';
import { GENERATION } from '#shared/storage/dynamodb/keys/generation.ts';
import { timedSk } from '#shared/storage/dynamodb/keys/lists.ts';
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
  userGeneration: z.string(),
  joinedAtMs: z.number(),
  conversationCreatedAtMs: z.number(),
  readMessageId: z.optional(z.string()),
  readAtMs: z.optional(z.number()),
});
export type Participant = z.infer<typeof Participant>;

export const isParticipant = (
  record: Participant | undefined,
  conversation: Pick<Conversation, 'generation'>,
  user: Pick<User, 'generation'>,
): boolean => record?.generation === conversation.generation && record.userGeneration === user.generation;

export async function findParticipant(botId: string, conversationId: string, userId: string) {
  const item = await readItem(participantKey(botId, conversationId, userId));
  return item && Participant.parse(item);
}

/** In order. Eventually consistent, at half the price of {@link findParticipant}. */
export async function findParticipantsEventually(
  botId: string,
  conversationId: string,
  userIds: readonly string[],
): Promise<(Participant | undefined)[]> {
  const items = await readItemsEventually(userIds.map(userId => participantKey(botId, conversationId, userId)));
  return items.map(item => item && Participant.parse(item));
}

/** In order. Strongly consistent. */
export async function findParticipantsOf(
  botId: string,
  conversationId: string,
  userIds: readonly string[],
): Promise<(Participant | undefined)[]> {
  const items = await readItems(userIds.map(userId => participantKey(botId, conversationId, userId)));
  return items.map(item => item && Participant.parse(item));
}

export async function listParticipants(
  botId: string,
  conversationId: string,
  { after, limit }: { after?: string | undefined; limit: number },
) {
  const { items } = await queryPage({
    ...prefixQuery(conversationPk(botId, conversationId), participantPrefix),
    ConsistentRead: true,
    Limit: limit,
    ExclusiveStartKey: after === undefined ? undefined : participantKey(botId, conversationId, after),
  });
  return items.map(item => Participant.parse(item));
}

/** Returns true for at least `count` participants. Eventually consistent, so concurrent callers may exceed a limit. */
export async function hasParticipants(botId: string, conversationId: string, count: number): Promise<boolean> {
  let found = 0;
  let after: Item | undefined;
  do {
    const { items, next } = await queryPage({
      ...prefixQuery(conversationPk(botId, conversationId), participantPrefix),
      ProjectionExpression: 'sk',
      Limit: count - found,
      ExclusiveStartKey: after,
    });
    found += items.length;
    after = next;
  } while (after && found < count);
  return found >= count;
}

export async function hasFormerParticipants(botId: string, conversationId: string): Promise<boolean> {
  const { items } = await queryPage({
    ...prefixQuery(conversationPk(botId, conversationId), formerPrefix),
    ConsistentRead: true,
    Limit: 1,
  });
  return items.length > 0;
}

/** Record of a participation that ended, except with its conversation. Triggers the check of an open handoff. */
export const putFormer = (
  botId: string,
  { conversationId, userId, generation }: Pick<Participant, 'conversationId' | 'userId' | 'generation'>,
): Write => ({
  put: {
    Item: {
      ...formerKey(botId, conversationId, userId),
      userId,
      [GENERATION]: generation || undefined,
    },
  },
  onRefused: unconditional,
});

/** Fails if the user already participates. Overwrites leftovers of earlier generations. */
export const putNewParticipant = (
  botId: string,
  conversation: Pick<Conversation, 'id' | 'webhookId' | 'foreignId' | 'generation' | 'createdAtMs'>,
  user: Pick<User, 'id' | 'foreignId' | 'generation'>,
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
    userGeneration: user.generation,
    joinedAtMs: nowMs,
    conversationCreatedAtMs: conversation.createdAtMs,
  };
  return {
    put: {
      Item: {
        ...participantKey(botId, conversation.id, user.id),
        ...participant,
        gsiPk: userConversationsPk(botId, user.id),
        gsi2Sk: timedSk(conversation.createdAtMs, conversation.id),
      },
      ConditionExpression: 'attribute_not_exists(pk) OR generation < :generation OR userGeneration <> :userGeneration',
      ExpressionAttributeValues: {
        ':generation': conversation.generation,
        ':userGeneration': user.generation,
      },
    },
    // Added concurrently. The retry finds the participant.
    onRefused: () => new WriteConflict(),
  };
};

/** Fails for the owner, and for users who no longer participate. */
export const removeParticipant = (botId: string, participant: Participant, shownId: string): Write[] => [
  putFormer(botId, participant),
  {
    remove: {
      Key: participantKey(botId, participant.conversationId, participant.userId),
      ConditionExpression: 'generation = :generation AND isOwner = :no',
      ExpressionAttributeValues: { ':generation': participant.generation, ':no': false },
    },
    onRefused: existing =>
      existing?.isOwner === true && existing.generation === participant.generation
        ? new ApiError('InvalidPayload', 'The owner of a conversation cannot be removed from it.')
        : notFound(`The participant ${shownId}`),
  },
];

/** Part of the transaction that deletes the conversation or the user. */
export const dropParticipant = (
  botId: string,
  { conversationId, userId, generation, joinedAtMs }: Participant,
): Write => ({
  remove: {
    Key: participantKey(botId, conversationId, userId),
    // The user may have left and rejoined since the read.
    ConditionExpression: 'attribute_not_exists(pk) OR (generation = :generation AND joinedAtMs = :joined)',
    ExpressionAttributeValues: { ':generation': generation, ':joined': joinedAtMs },
  },
  onRefused: () => new WriteConflict(),
});

/** Deletes a participant of a deleted conversation, unless the user has rejoined. */
export async function dropUnlessChanged(botId: string, participant: Participant): Promise<void> {
  const { onRefused: _, ...part } = dropParticipant(botId, participant);
  // A conflicting transaction, such as a read mark, ends soon.
  await retryConflicts(() => tryWrite(part));
}
