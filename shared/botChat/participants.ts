/** Who takes part in a conversation, as the bot-level operations see and change it. */
import type { Conversation } from '#shared/dynamodb/chat/conversations.ts';
import { conversationMustExist } from '#shared/dynamodb/chat/conversations.ts';
import { putNewParticipant } from '#shared/dynamodb/chat/participants.ts';
import { appendEntry } from '#shared/dynamodb/chat/timeline.ts';
import { type User, userMustExist } from '#shared/dynamodb/chat/users.ts';
import type { Write } from '#shared/dynamodb/transaction.ts';
import { newPosition } from '#shared/ids.ts';

/**
 * Lets a user take part, and says so in the timeline.
 * @param isNew who or what is made in the same transaction, and so need not be there before
 */
export const join = (
  botId: string,
  conversation: Conversation,
  user: User,
  { nowMs, isNew = {} }: { nowMs: number; isNew?: { conversation?: boolean; user?: boolean } },
): Write[] => [
  ...(isNew.conversation
    ? []
    : [conversationMustExist(botId, conversation.id, conversation.generation, conversation.id)]),
  ...(isNew.user ? [] : [userMustExist({ botId, webhookId: user.webhookId }, user.id, user.id)]),
  putNewParticipant(botId, conversation, user, { isOwner: false, nowMs }),
  appendEntry(botId, conversation.id, {
    kind: 'participant_added',
    position: newPosition(),
    userId: user.id,
    foreignUserId: user.foreignId,
    generation: conversation.generation,
  }),
];
