import type * as z from 'zod/mini';
import { userOf } from '#shared/api/caller.ts';
import type { Answer } from '#shared/api/operation.ts';
import { created } from '#shared/api/operation.ts';
import type { UserCall } from '#shared/api/operations/chat.ts';
import { notFound } from '#shared/core/errors.ts';
import { newConversationId, resolveConversationId } from '#shared/core/ids.ts';
import {
  afterTombstone,
  type Conversation,
  newConversation,
  putNewConversation,
  TombstoneConflict,
} from '#shared/storage/dynamodb/chat/conversations.ts';
import { putNewParticipant } from '#shared/storage/dynamodb/chat/participants.ts';
import { findUser, userMustExist } from '#shared/storage/dynamodb/chat/users.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { type ConversationView, viewConversation } from './chatViews.ts';

const CHANNEL = 'channel';

export type ConversationAnswer = { conversation: z.infer<typeof ConversationView> };

/**
 * Creates a conversation. A given id doubles the cost. @throws ApiError AlreadyExists, ResourceNotFound for the user
 * @param derivedId the id of a conversation without a foreign id, which several calls may create
 */
export async function startConversation(
  call: UserCall<unknown>,
  foreignId: string | undefined,
  derivedId?: string,
): Promise<Answer<ConversationAnswer>> {
  const { webhook, nowMs } = call;
  const givenId = foreignId === undefined ? derivedId : resolveConversationId(webhook.webhookId, foreignId);
  const conversation = newChatConversation(call, { id: givenId ?? newConversationId(nowMs), foreignId });
  return givenId === undefined ? startUnnamed(call, conversation) : startNamed(call, conversation);
}

/** Returns a conversation that the caller owns. */
export const newChatConversation = (
  { webhook, caller, nowMs }: UserCall<unknown>,
  { id, foreignId }: Pick<Conversation, 'id' | 'foreignId'>,
): Conversation =>
  newConversation(
    {
      id,
      webhookId: webhook.webhookId,
      integration: webhook.integration,
      channel: CHANNEL,
      foreignId,
      ownerId: caller.userId,
    },
    nowMs,
  );

/** Writes the owner's participation first, so that a crash leaves nothing visible. */
async function startUnnamed(
  { webhook, botId, caller, nowMs, commit }: UserCall<unknown>,
  conversation: Conversation,
): Promise<Answer<ConversationAnswer>> {
  const user = await findUser(webhook, userOf(caller));
  if (!user || (caller.generation ?? user.generation) !== user.generation) throw notFound(`The user ${caller.shownId}`);
  await write([putNewParticipant(botId, conversation, user, { isOwner: true, nowMs })]);
  return commit(created({ conversation: viewConversation(conversation) }), [putNewConversation(botId, conversation)]);
}

async function startNamed(
  { webhook, botId, caller, nowMs, commit }: UserCall<unknown>,
  first: Conversation,
): Promise<Answer<ConversationAnswer>> {
  let conversation = first;
  const generation = caller.generation ?? (await findUser(webhook, userOf(caller)))?.generation;
  if (generation === undefined) throw notFound(`The user ${caller.shownId}`);
  const owner = { id: caller.userId, foreignId: caller.foreignId, generation };
  for (;;) {
    try {
      return await commit(created({ conversation: viewConversation(conversation) }), [
        userMustExist(webhook, owner, caller.shownId),
        putNewConversation(botId, conversation),
        putNewParticipant(botId, conversation, owner, { isOwner: true, nowMs }),
      ]);
    } catch (error) {
      if (!(error instanceof TombstoneConflict)) throw error;
      conversation = afterTombstone(conversation, error.tombstone);
    }
  }
}
