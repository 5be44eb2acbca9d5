import { userOf } from '#shared/api/caller.ts';
import { isParticipation } from '#shared/api/chat/authorise.ts';
import { type Answer, created, ok } from '#shared/api/operation.ts';
import type { UserCall } from '#shared/api/operations/chat.ts';
import { notFound } from '#shared/core/errors.ts';
import { newConversationId } from '#shared/core/ids.ts';
import { type Conversation, putNewConversation } from '#shared/storage/dynamodb/chat/conversations.ts';
import { setCurrentConversation } from '#shared/storage/dynamodb/chat/currentConversation.ts';
import { isParticipant, putNewParticipant } from '#shared/storage/dynamodb/chat/participants.ts';
import { findUserConversation, listUserConversations } from '#shared/storage/dynamodb/chat/userConversations.ts';
import { findUser, type User } from '#shared/storage/dynamodb/chat/users.ts';
import { PAGE_SIZE } from './chatInputs.ts';
import { viewConversation } from './chatViews.ts';
import { type ConversationAnswer, newChatConversation } from './startConversation.ts';

/**
 * Returns the conversation that the user record names (200), or replaces it with a new one (201). A user without a
 * record continues their latest conversation. All writes are conditional on the record, so concurrent calls return the
 * same conversation.
 * @param replacedId is replaced if it is current; another current conversation is returned
 * @throws ApiError ResourceNotFound for the user; WriteConflict
 */
export async function enterCurrentConversation(
  call: UserCall<unknown>,
  replacedId: string | undefined,
): Promise<Answer<ConversationAnswer>> {
  const { webhook, botId, caller, nowMs, commit } = call;
  const user = await findUser(webhook, userOf(caller));
  if (!user) throw notFound(`The user ${caller.shownId}`);
  const { currentConversationId: currentId } = user;
  const found = currentId === undefined && replacedId === undefined ? await findLatest(call) : undefined;
  if (found) {
    return commit(ok({ conversation: viewConversation(found) }), [setCurrentConversation(webhook, user, found.id)]);
  }
  const current = currentId === replacedId ? undefined : await findCurrent(call, user);
  if (current) return commit(ok({ conversation: viewConversation(current) }), []);

  const conversation = newChatConversation(call, { id: newConversationId(nowMs) });
  return commit(created({ conversation: viewConversation(conversation) }), [
    setCurrentConversation(webhook, user, conversation.id),
    putNewConversation(botId, conversation),
    putNewParticipant(botId, conversation, user, { isOwner: true, nowMs }),
  ]);
}

/** Returns undefined for a deleted conversation, and for one in which the user no longer participates. */
async function findCurrent({ webhook, botId }: UserCall<unknown>, user: User): Promise<Conversation | undefined> {
  if (user.currentConversationId === undefined) return undefined;
  const found = await findUserConversation(botId, user.currentConversationId, user.id);
  const isOpen = found?.participant.webhookId === webhook.webhookId;
  return isOpen && isParticipant(found.participant, found.conversation, user) ? found.conversation : undefined;
}

/**
 * Returns the conversation with the latest activity, for users whose conversations predate the current conversation.
 */
async function findLatest({ webhook, botId, caller }: UserCall<unknown>): Promise<Conversation | undefined> {
  const { records } = await listUserConversations(botId, caller.userId, { limit: PAGE_SIZE });
  return records.find(({ participant }) => isParticipation(webhook, caller, participant))?.conversation;
}
