import { notFound } from '#shared/core/errors.ts';
import { isConversationId, isUserId } from '#shared/core/ids.ts';
import { type CallerScope, canSee, type ScopedCall } from '#shared/domain/messaging/callerScope.ts';
import type { GetOrCreateResult } from '#shared/domain/messaging/getOrCreate.ts';
import { requireQuota } from '#shared/domain/messaging/requireQuota.ts';
import type { Conversation } from '#shared/storage/dynamodb/chat/conversations.ts';
import { type FoundParties, findParticipantAndWebhook, type Parties } from '#shared/storage/dynamodb/chat/messages.ts';
import { isParticipant } from '#shared/storage/dynamodb/chat/participants.ts';
import type { User } from '#shared/storage/dynamodb/chat/users.ts';

export interface MessageContext {
  conversation: Conversation;
  user: User | undefined;
  isParticipant: boolean;
  isNew?: { conversation: boolean; user: boolean };
}

interface Author {
  conversationId: string;
  userId: string;
  payload?: Record<string, unknown> | undefined;
}

/** Returns the user in whose name the bot may be writing, see {@link contextFrom}. */
function namedUserId({ installation }: CallerScope, { payload }: Author): string | undefined {
  const userId = payload?.userId;
  return installation === undefined && typeof userId === 'string' && isUserId(userId) ? userId : undefined;
}

/**
 * Returns the records to read for a context. The webhook contains the quota, which counts messages of an integration's
 * users.
 * @throws ApiError ResourceNotFound for a malformed id
 */
export function partiesOf(scope: CallerScope, author: Author): Parties {
  const { botId, installation } = scope;
  const { conversationId, userId } = author;
  if (!isConversationId(conversationId)) throw notFound(`The conversation ${conversationId}`);
  if (userId === botId) return { conversationId, userId: namedUserId(scope, author) };
  if (!isUserId(userId)) throw notFound(`The user ${userId}`);
  return { conversationId, userId, webhookId: installation?.webhookId };
}

/**
 * Returns the context of a message from records that were just read. The bot writes in the name of the user that the
 * payload names if it forwards a message between an end user and a human (docs/api/botChat.md#hitl).
 * @throws ApiError ResourceNotFound for a conversation or user, QuotaExceeded
 */
export function contextFrom(
  call: ScopedCall,
  { conversationId, userId }: Author,
  { conversation, user, participant, webhook }: FoundParties,
): MessageContext {
  if (!conversation || !canSee(call, conversation)) throw notFound(`The conversation ${conversationId}`);
  if (userId === call.botId) {
    const isOwn = !user || user.webhookId !== conversation.webhookId || !mayWriteAs(user, conversation);
    if (isOwn) return { conversation, user: undefined, isParticipant: true };
    return { conversation, user, isParticipant: isParticipant(participant, conversation, user) };
  }
  if (!user || !canSee(call, user)) throw notFound(`The user ${userId}`);
  if (webhook) requireQuota(webhook, call.nowMs);
  return { conversation, user, isParticipant: isParticipant(participant, conversation, user) };
}

/** Excludes other payloads with a userId. */
const mayWriteAs = ({ personId }: User, { isHitlSession }: Conversation): boolean =>
  isHitlSession || personId !== undefined;

/**
 * Returns the context of a message from records that get-or-create found or is about to create.
 * @throws ApiError QuotaExceeded
 */
export async function contextBetween(
  { botId, installation, nowMs }: ScopedCall,
  { record: conversation, isNew: isNewConversation }: GetOrCreateResult<Conversation>,
  { record: user, isNew: isNewUser }: GetOrCreateResult<User>,
): Promise<MessageContext> {
  const { participant, webhook } = await findParticipantAndWebhook(botId, {
    conversationId: conversation.id,
    userId: user.id,
    webhookId: installation?.webhookId,
  });
  if (webhook) requireQuota(webhook, nowMs);
  return {
    conversation,
    user,
    isParticipant: isParticipant(participant, conversation, user),
    isNew: { conversation: isNewConversation, user: isNewUser },
  };
}
