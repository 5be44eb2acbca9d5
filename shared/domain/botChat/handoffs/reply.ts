/** Writes of the assignee of a conversation. Each is conditional on the handoff. */

import { ApiError, notFound } from '#shared/core/errors.ts';
import { decodeTime, parseTimelineId } from '#shared/core/ids.ts';
import { createMessage, type MessageInput } from '#shared/domain/botChat/messages/createMessage.ts';
import { findInBot, type ScopedCall } from '#shared/domain/messaging/callerScope.ts';
import { countFirstReply } from '#shared/domain/messaging/handoffCounters.ts';
import type { Installation } from '#shared/storage/dynamodb/bots/installation.ts';
import type { Conversation } from '#shared/storage/dynamodb/chat/conversations.ts';
import { recordReply } from '#shared/storage/dynamodb/chat/handoffMarks.ts';
import { type Handoff, isOpen } from '#shared/storage/dynamodb/chat/handoffs.ts';
import { alreadyEnded, notAssigned, requireHandoff } from './transitions.ts';

const ADVICE = 'Assign the handoff to yourself first.';

/** @returns the error for a handoff that is not assigned to the caller */
function refusalOf({ principal }: ScopedCall, handoff: Handoff): Error | undefined {
  if (!isOpen(handoff)) return alreadyEnded(handoff);
  const isAssignee = principal.kind === 'account' && handoff.member?.id === principal.account.id;
  return isAssignee ? undefined : notAssigned(handoff, ADVICE);
}

/**
 * Returns the handoff if it is assigned to the caller.
 * @throws ApiError ResourceNotFound, RelationConflict that names the assignee or the actor who ended it
 */
export async function requireAssignee(
  call: ScopedCall,
  id: string,
): Promise<{ handoff: Handoff; member: NonNullable<Handoff['member']>; conversation: Conversation }> {
  const { handoff, conversation } = await requireHandoff(call, id);
  const refusal = refusalOf(call, handoff);
  if (refusal) throw refusal;
  return { handoff, member: handoff.member!, conversation };
}

/** @throws ApiError RelationConflict if the integration of the conversation was uninstalled */
export async function requireInstallation(
  call: ScopedCall,
  { webhookId, integration }: Pick<Conversation, 'webhookId' | 'integration'>,
): Promise<Installation> {
  const found = await findInBot(call, bot => bot.installations.find(each => each.webhookId === webhookId));
  if (found) return found;
  const problem =
    integration === '' ? 'The conversation has no integration.' : `The bot has uninstalled ${integration}.`;
  throw new ApiError('RelationConflict', `${problem} End the handoff.`);
}

/** Creates a message of the assignee. The bot receives it in a session of the integration inbox only. */
export async function replyInHandoff(
  call: ScopedCall,
  id: string,
  { type, payload, tags = {} }: Pick<MessageInput, 'type' | 'payload'> & Partial<Pick<MessageInput, 'tags'>>,
) {
  const { handoff, member, conversation } = await requireAssignee(call, id);
  const { conversationId } = handoff;
  // With an installation, the message would count as a user message to the bot.
  const installation = conversation.isHitlSession ? await requireInstallation(call, conversation) : undefined;
  const asMember = { ...call, installation };
  const message = await createMessage(asMember, { type, payload, tags, conversationId, userId: member.userId });
  const { position } = parseTimelineId('msg', message.record.id)!;
  const isFirst = handoff.firstReplyAtMs === undefined;
  const reply = recordReply(call.botId, handoff, position, {
    isFirst,
    refusalOf: existing => (existing ? refusalOf(call, existing) : notFound(`The handoff ${id}`)),
  });
  const counters = isFirst ? countFirstReply(call.botId, handoff, decodeTime(position)) : [];
  return { ...message, writes: [reply, ...message.writes, ...counters] };
}
