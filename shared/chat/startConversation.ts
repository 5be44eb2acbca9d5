/** Beginning a conversation, for the two operations that do. */

import type * as z from 'zod/mini';
import type { UserCall } from '#shared/api/chat/operation.ts';
import type { Answer } from '#shared/api/operation.ts';
import { created } from '#shared/api/operation.ts';
import { ConversationTombstone, newConversation, putNewConversation } from '#shared/dynamodb/chat/conversations.ts';
import { putNewParticipant } from '#shared/dynamodb/chat/participants.ts';
import { userMustExist } from '#shared/dynamodb/chat/users.ts';
import { newConversationId, resolveConversationId } from '#shared/ids.ts';
import { type ConversationView, viewConversation } from './views.ts';

/** The one channel of the chat integration, as in the reference. */
const CHANNEL = 'channel';

type ConversationAnswer = { conversation: z.infer<typeof ConversationView> };

/**
 * Creates a conversation with the caller as its owner: one transaction, or two when the id lived before.
 * @param foreignId the caller's own id for it, or none
 * @throws ApiError AlreadyExists when it exists, ResourceNotFound when the caller's user does not
 */
export async function startConversation(
  { webhook, botId, caller, nowMs, commit }: UserCall<unknown>,
  foreignId: string | undefined,
): Promise<Answer<ConversationAnswer>> {
  const id = (foreignId && resolveConversationId(webhook.webhookId, foreignId)) || newConversationId(nowMs);
  const conversation = newConversation(
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
  const owner = { id: caller.userId, foreignId: caller.foreignId };
  for (;;) {
    try {
      return await commit(created({ conversation: viewConversation(conversation) }), [
        userMustExist(webhook, caller.userId, caller.shownId),
        putNewConversation(botId, conversation),
        putNewParticipant(botId, conversation, owner, { isOwner: true, nowMs }),
      ]);
    } catch (error) {
      if (!(error instanceof ConversationTombstone)) throw error;
      conversation.generation = error.generation + 1;
      conversation.countedTo = error.countedTo;
    }
  }
}
