import { type Caller, userOf } from '#shared/api/caller.ts';
import { participationOf } from '#shared/api/chat/authorise.ts';
import type { UserCall } from '#shared/api/operations/chat.ts';
import { ApiError, invalidPayload } from '#shared/core/errors.ts';
import { derivedConversationId, isForeignId, resolveConversationId } from '#shared/core/ids.ts';
import { signUp, startUser } from '#shared/domain/chat/chatUsers.ts';
import { startConversation } from '#shared/domain/chat/startConversation.ts';
import type { Participant } from '#shared/storage/dynamodb/chat/participants.ts';
import { findUser, putNewUser, type User } from '#shared/storage/dynamodb/chat/users.ts';
import { WriteConflict, write } from '#shared/storage/dynamodb/engine/transaction.ts';

type Entering = Omit<UserCall<unknown>, 'caller'> & { caller: Caller | undefined };

/** Returns the key's user, or a new one. @throws ApiError Unauthorized if the bot's owner signs the keys */
export async function findOrCreateUser(call: Entering): Promise<{ user: User; caller: Caller }> {
  const { webhook, botId, caller, nowMs } = call;
  if (!caller) {
    const guest = signUp(call, {}, nowMs);
    await write([putNewUser(botId, guest.user, () => new WriteConflict())]);
    return guest;
  }
  const found = await findUser(webhook, userOf(caller));
  if (found) return { user: found, caller };
  const { user, write: creation } = startUser({ webhook, botId, caller, nowMs }, {});
  await write([creation]);
  return { user, caller };
}

/**
 * Enters the conversation with this id, or a new one without an id. Replaces a deleted conversation, because the client
 * cannot: concurrent calls get the same replacement, whose id derives from the deleted one. A call without an id always
 * creates a conversation, because the client restarts this way. @throws ApiError Forbidden
 */
export async function enterConversation(call: UserCall<unknown>, shownId: string | undefined): Promise<Participant> {
  const { webhook, caller } = call;
  if (shownId === undefined) {
    const { body } = await startConversation(call, undefined);
    return participationOf(webhook, caller, body.conversation.id, body.conversation.id);
  }
  const id = resolveConversationId(webhook.webhookId, shownId);
  if (!id) throw invalidPayload('Must be the id of a conversation, or omitted for a new one', 'conversationId');
  const named = await participationIfExists(call, id, shownId);
  if (named) return named;
  if (isForeignId(shownId)) return findOrStart(call, id, { foreignId: shownId });
  const replacement = derivedConversationId('replacement', webhook.webhookId, id, caller.userId);
  return findOrStart(call, replacement, { derivedId: replacement });
}

async function findOrStart(
  call: UserCall<unknown>,
  id: string,
  { foreignId, derivedId }: { foreignId?: string; derivedId?: string },
): Promise<Participant> {
  const shownId = foreignId ?? id;
  try {
    await startConversation(call, foreignId, derivedId);
  } catch (error) {
    // A concurrent or earlier call created it.
    if (!(error instanceof ApiError && error.type === 'AlreadyExists')) throw error;
  }
  return participationOf(call.webhook, call.caller, id, shownId);
}

async function participationIfExists({ webhook, caller }: UserCall<unknown>, id: string, shownId: string) {
  try {
    return await participationOf(webhook, caller, id, shownId);
  } catch (error) {
    if (error instanceof ApiError && error.type === 'ResourceNotFound') return undefined;
    throw error;
  }
}
