/** Most operations only read this item: it proves access and ownership, and contains both foreign ids. */
import * as z from 'zod/mini';
import { ApiError, notFound } from '#shared/core/errors.ts';
import {
  conversationPk,
  formerKey,
  participantKey,
  participantPrefix,
  userConversationsPk,
} from '#shared/storage/dynamodb/keys/chat.ts';
import { timedSk } from '#shared/storage/dynamodb/keys/lists.ts';
import { END, inChunks, indexKeys, type Range, withItems } from '#shared/storage/dynamodb/lists.ts';
import { type Item, prefixQuery, queryPage, readItem, readItemsEventually } from '#shared/storage/dynamodb/query.ts';
import { tagWrites } from '#shared/storage/dynamodb/tags.ts';
import {
  retryConflicts,
  tryWrite,
  unconditional,
  type Write,
  WriteConflict,
  write,
} from '#shared/storage/dynamodb/transaction.ts';
import {
  type Conversation,
  derivedTagsOfConversation,
  findConversations,
  taggedConversation,
} from './conversations.ts';
import type { User } from './users.ts';

export const Participant = z.object({
  conversationId: z.string(),
  userId: z.string(),
  webhookId: z.string(),
  foreignConversationId: z.optional(z.string()),
  foreignUserId: z.optional(z.string()),
  isOwner: z.boolean(),
  generation: z.number(),
  /** Excludes re-created users with the same id. */
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

async function* listParticipations(
  botId: string,
  userId: string,
  range: Range,
): AsyncGenerator<{ sortKey: string; participant: Participant }> {
  for await (const { sortKey, item } of withItems(indexKeys('gsi2', userConversationsPk(botId, userId), range))) {
    yield { sortKey, participant: Participant.parse(item) };
  }
}

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

/** Fails for the owner, and for users who no longer participate. Leaves a record of the former participation. */
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

/** Deletes a participant outside of a transaction, unless the user has rejoined. */
export async function dropUnlessChanged(botId: string, participant: Participant): Promise<void> {
  const { onRefused: _, ...part } = dropParticipant(botId, participant);
  // A conflicting transaction, such as a read mark, ends soon.
  await retryConflicts(() => tryWrite(part));
}

export async function removeFromAllConversations(botId: string, userId: string, joinedUntilMs: number): Promise<void> {
  for await (const { participant } of listParticipations(botId, userId, { direction: 'asc', first: '', last: END })) {
    const { conversationId, generation, joinedAtMs } = participant;
    if (joinedAtMs > joinedUntilMs) continue;
    const former = { ...formerKey(botId, conversationId, userId), userId, g: generation || undefined };
    await write([
      { put: { Item: former }, onRefused: unconditional },
      { remove: { Key: participantKey(botId, conversationId, userId) }, onRefused: unconditional },
    ]);
  }
}

async function dropTogether(botId: string, participants: Participant[]): Promise<void> {
  try {
    await write(participants.map(participant => dropParticipant(botId, participant)));
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error;
    await Promise.all(participants.map(participant => dropUnlessChanged(botId, participant)));
  }
}

/** Adds a deleted owner's conversations to the tag index. Until then, they are found by participation. */
async function keepOwnerTags(botId: string, participants: readonly Participant[]): Promise<void> {
  const owned = participants.filter(({ isOwner }) => isOwner).map(({ conversationId }) => conversationId);
  const known = new Set<string>();
  const others: Write[] = [];
  for (const conversation of await findConversations(botId, owned)) {
    if (!conversation) continue;
    const name = `${conversation.integration}:owner`;
    const tags = { [name]: derivedTagsOfConversation(conversation)[name]! };
    const tagged = taggedConversation(conversation);
    // The first of an installation also records the tag's value.
    if (known.has(name)) others.push(...(await tagWrites(botId, tagged, tags, [true])));
    else await retryConflicts(async () => write(await tagWrites(botId, tagged, tags)));
    known.add(name);
  }
  await write(others);
}

const DROP_BATCH = 100;

/** Deletes participants of a generation and earlier ones, in pages. The sweep deletes what is left. */
export async function dropParticipants(
  botId: string,
  conversationId: string,
  generation: number,
  isTimeLeft: () => boolean,
): Promise<void> {
  let after: string | undefined;
  do {
    const page = await listParticipants(botId, conversationId, { after, limit: DROP_BATCH });
    const former = page.filter(participant => participant.generation <= generation);
    await dropTogether(botId, former);
    after = page.length === DROP_BATCH ? page.at(-1)!.userId : undefined;
  } while (after && isTimeLeft());
}

/** Deletes a generation's participations. Later ones are kept: the same key may have re-created the user. */
export async function dropParticipations(
  botId: string,
  user: Pick<User, 'id' | 'generation'>,
  joinedUntilMs: number,
  isTimeLeft: () => boolean,
): Promise<{ removed: number; isDone: boolean }> {
  let removed = 0;
  const all = listParticipations(botId, user.id, { direction: 'asc', first: '', last: END });
  for await (const page of inChunks(all, DROP_BATCH)) {
    const former = page
      .map(({ participant }) => participant)
      .filter(({ userGeneration, joinedAtMs }) => userGeneration === user.generation && joinedAtMs <= joinedUntilMs);
    await keepOwnerTags(botId, former);
    await dropTogether(botId, former);
    removed += former.length;
    if (!isTimeLeft()) return { removed, isDone: page.length < DROP_BATCH };
  }
  return { removed, isDone: true };
}
