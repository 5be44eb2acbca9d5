/** Chat users of members: one per member and installation, with the name that end users see. */
import { derivedUserId } from '#shared/core/ids.ts';
import { addParticipantWrites } from '#shared/domain/botChat/participants.ts';
import type { Conversation } from '#shared/storage/dynamodb/chat/conversations.ts';
import type { Handoff } from '#shared/storage/dynamodb/chat/handoffs.ts';
import { findUserAndParticipant } from '#shared/storage/dynamodb/chat/messages.ts';
import { isParticipant } from '#shared/storage/dynamodb/chat/participants.ts';
import { changeUser, newUser, putNewUser, type User } from '#shared/storage/dynamodb/chat/users.ts';
import { type Write, WriteConflict } from '#shared/storage/dynamodb/transaction.ts';
import type { Account } from '#shared/storage/dynamodb/workspace/accounts.ts';
import { type HandoffCall, memberOf, requireServingMember } from './members.ts';

const userIdOf = (botId: string, { webhookId }: Conversation, { id }: Account) =>
  derivedUserId(botId, webhookId, 'member', id);

/**
 * Returns the writes that add a member to a conversation. Members do not count against the limit of participants.
 * @param isChecked another part of the transaction requires the conversation
 * @throws ApiError ReferenceNotFound for an account that may not serve
 */
export async function joinAs(
  call: HandoffCall,
  conversation: Conversation,
  accountId: string,
  { isChecked = false } = {},
): Promise<{ member: NonNullable<Handoff['member']>; writes: Write[] }> {
  const { botId, nowMs } = call;
  const account = await requireServingMember(call, accountId);
  const userId = userIdOf(botId, conversation, account);
  const { user: existing, participant } = await findUserAndParticipant(botId, {
    conversationId: conversation.id,
    userId,
  });
  const user = existing ? await keepCurrent(call, existing, account) : userOf(call, conversation, account);
  const isNew = { user: existing === undefined, conversation: isChecked };
  return {
    member: { ...memberOf(account), userId },
    writes: [
      ...(isNew.user ? [putNewUser(botId, user, () => new WriteConflict())] : []),
      ...(isParticipant(participant, conversation, user)
        ? []
        : addParticipantWrites(botId, conversation, user, { nowMs, isNew })),
    ],
  };
}

/** Excludes the email, which end users must not see. */
const shownAs = ({ displayName, profilePicture }: Account) => ({
  name: displayName || undefined,
  pictureUrl: profilePicture || undefined,
});

const userOf = ({ botId, nowMs }: HandoffCall, conversation: Conversation, account: Account): User =>
  newUser(
    {
      id: userIdOf(botId, conversation, account),
      webhookId: conversation.webhookId,
      integration: conversation.integration,
      attributes: { [MEMBER_ATTRIBUTE]: account.id },
      ...shownAs(account),
    },
    nowMs,
  );

/** The account behind a user. */
const MEMBER_ATTRIBUTE = 'memberAccountId';

/** Updates name and picture, which may have changed since the member last served. */
async function keepCurrent({ botId, nowMs }: HandoffCall, user: User, account: Account): Promise<User> {
  const { name, pictureUrl } = shownAs(account);
  if (user.name === name && user.pictureUrl === pictureUrl) return user;
  return changeUser(
    { botId, webhookId: user.webhookId },
    user,
    { fields: { name: name ?? null, pictureUrl: pictureUrl ?? null } },
    { nowMs, onRefused: () => new WriteConflict() },
  );
}
