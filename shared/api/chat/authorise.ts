import { type Caller, isOfCaller } from '#shared/api/caller.ts';
import type { ChatOperation } from '#shared/api/operations/chat.ts';
import { ApiError, notFound } from '#shared/core/errors.ts';
import { resolveUserId } from '#shared/core/ids.ts';
import { findConversation } from '#shared/storage/dynamodb/chat/conversations.ts';
import { findParticipant, type Participant } from '#shared/storage/dynamodb/chat/participants.ts';
import type { Webhook } from '#shared/storage/dynamodb/chat/webhooks.ts';

async function findParticipation(
  webhook: Webhook,
  caller: Caller,
  conversationId: string,
): Promise<Participant | undefined> {
  const found = await findParticipant(webhook.botId, conversationId, caller.userId);
  return found && isParticipation(webhook, caller, found) ? found : undefined;
}

/** Returns false for participations through another installation or of an earlier, deleted user. */
export const isParticipation = (webhook: Webhook, caller: Caller, { webhookId, userGeneration }: Participant) =>
  webhookId === webhook.webhookId && isOfCaller(caller, userGeneration);

/**
 * Returns the caller's participation, with a single read for participants.
 * @throws ApiError Forbidden for a non-participant; ResourceNotFound for a missing conversation
 */
export async function participationOf(webhook: Webhook, caller: Caller, conversationId: string, shownId: string) {
  const participant = await findParticipation(webhook, caller, conversationId);
  if (participant) return participant;

  const conversation = await findConversation(webhook.botId, conversationId);
  if (conversation?.webhookId !== webhook.webhookId) throw notFound(`The conversation ${shownId}`);
  // A concurrent call of the caller may have created both between the two reads.
  const created = await findParticipation(webhook, caller, conversationId);
  if (created) return created;
  throw new ApiError('Forbidden', `You are not a participant of the conversation ${shownId}.`);
}

export function checkRole(
  access: ChatOperation['access'],
  call: { webhook: Webhook; caller: Caller; input: unknown; read: unknown; participant: Participant },
): void {
  const { participant, caller } = call;
  const forbidden = (who: string) => new ApiError('Forbidden', `Only ${who} may do this.`);
  switch (access.who) {
    case 'anyone':
    case 'guest':
    case 'admin':
    case 'user':
    case 'participant':
      return;
    case 'owner':
      if (!participant.isOwner) throw forbidden('the owner of the conversation');
      return;
    case 'ownerOrSelf': {
      const isSelf = resolveUserId(call.webhook.webhookId, access.self(call.input)) === caller.userId;
      if (!participant.isOwner && !isSelf) throw forbidden('the owner of the conversation');
      return;
    }
    case 'author':
      if (access.authorOf(call.read, participant) !== caller.userId) throw forbidden('the author');
  }
}
