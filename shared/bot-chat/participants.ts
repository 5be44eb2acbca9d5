/** Who takes part in a conversation, as the bot-level operations see and change it. */
import type { Conversation } from '../table/conversations.ts';
import { conversationMustLive } from '../table/conversations.ts';
import { newPosition } from '../table/ids.ts';
import { putNewParticipant } from '../table/participants.ts';
import { appendEntry } from '../table/timeline.ts';
import { type User, userMustExist } from '../table/users.ts';
import type { Write } from '../table/write.ts';

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
    : [conversationMustLive(botId, conversation.id, conversation.generation, conversation.id)]),
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
