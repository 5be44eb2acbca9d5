import { type Caller, userOf } from '#shared/api/caller.ts';
import { participationOf } from '#shared/api/chat/authorise.ts';
import type { UserCall } from '#shared/api/operations/chat.ts';
import { ApiError, invalidPayload } from '#shared/core/errors.ts';
import { isForeignId, resolveConversationId } from '#shared/core/ids.ts';
import { startConversation } from '#shared/domain/chat/startConversation.ts';
import { signUp, startUser } from '#shared/domain/chat/users.ts';
import type { Participant } from '#shared/storage/dynamodb/chat/participants.ts';
import { findUser, putNewUser, type User } from '#shared/storage/dynamodb/chat/users.ts';
import { WriteConflict, write } from '#shared/storage/dynamodb/transaction.ts';

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

/** Replaces a deleted conversation, because the client cannot. @throws ApiError Forbidden */
export async function enterConversation(call: UserCall<unknown>, shownId: string | undefined): Promise<Participant> {
  const { webhook, caller } = call;
  if (shownId !== undefined) {
    const id = resolveConversationId(webhook.webhookId, shownId);
    if (!id) throw invalidPayload('Must be the id of a conversation, or omitted for a new one', 'conversationId');
    try {
      return await participationOf(webhook, caller, id, shownId);
    } catch (error) {
      if (!(error instanceof ApiError && error.type === 'ResourceNotFound')) throw error;
    }
  }
  const { body } = await startConversation(call, shownId !== undefined && isForeignId(shownId) ? shownId : undefined);
  const { id } = body.conversation;
  return participationOf(webhook, caller, resolveConversationId(webhook.webhookId, id)!, id);
}
