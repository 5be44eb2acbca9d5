import { newPosition } from '#shared/core/ids.ts';
import { type Conversation, conversationMustExist } from '#shared/storage/dynamodb/chat/conversations.ts';
import { putNewParticipant } from '#shared/storage/dynamodb/chat/participants.ts';
import { appendEntry } from '#shared/storage/dynamodb/chat/timeline.ts';
import { type User, userMustExist } from '#shared/storage/dynamodb/chat/users.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';

/**
 * Returns the writes that add a participant and announce it in the timeline.
 * @param isNew records that the same transaction creates, whose existence is not a condition
 */
export const addParticipantWrites = (
  botId: string,
  conversation: Conversation,
  user: User,
  { nowMs, isNew = {} }: { nowMs: number; isNew?: { conversation?: boolean; user?: boolean } | undefined },
): Write[] => [
  ...(isNew.conversation
    ? []
    : [conversationMustExist(botId, conversation.id, conversation.generation, conversation.id)]),
  ...(isNew.user ? [] : [userMustExist({ botId, webhookId: user.webhookId }, user, user.id)]),
  putNewParticipant(botId, conversation, user, { isOwner: false, nowMs }),
  appendEntry(botId, conversation.id, {
    kind: 'participant_added',
    position: newPosition(),
    userId: user.id,
    foreignUserId: user.foreignId,
    generation: conversation.generation,
  }),
];
