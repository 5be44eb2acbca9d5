/** Users that represent people outside of the chat. End users see messages under their names. */
import { addParticipantWrites } from '#shared/domain/botChat/addParticipantWrites.ts';
import type { Conversation } from '#shared/storage/dynamodb/chat/conversations.ts';
import { findUserAndParticipant } from '#shared/storage/dynamodb/chat/messages.ts';
import { isParticipant } from '#shared/storage/dynamodb/chat/participants.ts';
import { changeUser, newUser, putNewUser, type User } from '#shared/storage/dynamodb/chat/users.ts';
import { type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';

interface Profile extends Pick<User, 'id' | 'memberAccountId' | 'personId'> {
  name?: string | undefined;
  pictureUrl?: string | undefined;
}

interface Scope {
  botId: string;
  nowMs: number;
}

/**
 * Returns the writes that add the user to a conversation. Name and picture of an existing user are updated immediately.
 * Such users do not count against the limit of participants.
 * @param isChecked another part of the transaction requires the conversation
 */
export async function joinStandIn(
  scope: Scope,
  conversation: Conversation,
  profile: Profile,
  { isChecked = false } = {},
): Promise<Write[]> {
  const { botId, nowMs } = scope;
  const { user: existing, participant } = await findUserAndParticipant(botId, {
    conversationId: conversation.id,
    userId: profile.id,
  });
  const user = existing ? await keepCurrent(scope, existing, profile) : userOf(scope, conversation, profile);
  const isNew = { user: existing === undefined, conversation: isChecked };
  return [
    ...(isNew.user ? [putNewUser(botId, user, () => new WriteConflict())] : []),
    ...(isParticipant(participant, conversation, user)
      ? []
      : addParticipantWrites(botId, conversation, user, { nowMs, isNew })),
  ];
}

const userOf = ({ nowMs }: Scope, { webhookId, integration }: Conversation, profile: Profile): User =>
  newUser({ webhookId, integration, ...profile }, nowMs);

async function keepCurrent({ botId, nowMs }: Scope, user: User, { name, pictureUrl }: Profile): Promise<User> {
  if (user.name === name && user.pictureUrl === pictureUrl) return user;
  return changeUser(
    { botId, webhookId: user.webhookId },
    user,
    { fields: { name: name ?? null, pictureUrl: pictureUrl ?? null } },
    { nowMs, onRefused: () => new WriteConflict() },
  );
}
