/** Chat users of members: one per member and installation, with the name that end users see. */
import { derivedUserId } from '#shared/core/ids.ts';
import { joinStandIn } from '#shared/domain/botChat/joinStandIn.ts';
import type { Conversation } from '#shared/storage/dynamodb/chat/conversations.ts';
import type { Handoff } from '#shared/storage/dynamodb/chat/handoffs.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { type HandoffCall, memberOf, requireAgent } from './handoffMembers.ts';

/**
 * Returns the writes that add a member to a conversation.
 * @param isChecked another part of the transaction requires the conversation
 * @throws ApiError ReferenceNotFound for an account that cannot be assigned
 */
export async function joinAs(
  call: HandoffCall,
  conversation: Conversation,
  accountId: string,
  options: { isChecked?: boolean } = {},
): Promise<{ member: NonNullable<Handoff['member']>; writes: Write[] }> {
  const account = await requireAgent(call, accountId);
  const profile = {
    id: derivedUserId(call.botId, conversation.webhookId, 'member', account.id),
    memberAccountId: account.id,
    // Excludes the email, which end users must not see.
    name: account.displayName || undefined,
    pictureUrl: account.profilePicture || undefined,
  };
  return {
    member: { ...memberOf(account), userId: profile.id },
    writes: await joinStandIn(call, conversation, profile, options),
  };
}
