/**
 * Events that report the transitions of a handoff to the bot. A session of the integration `inbox` has the events of
 * the interface `hitl` instead (docs/api/botChat.md#hitl). Their positions order them among the bot's messages.
 */
import { timelineId } from '#shared/core/ids.ts';
import { HANDOFF_ENDED, HANDOFF_STARTED } from '#shared/domain/messaging/eventTypes.ts';
import type { Conversation } from '#shared/storage/dynamodb/chat/conversations.ts';
import { putNewEvent } from '#shared/storage/dynamodb/chat/events.ts';
import type { Handoff } from '#shared/storage/dynamodb/chat/handoffs.ts';
import { storeValue } from '#shared/storage/dynamodb/engine/largeValue.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { messagesOf, viewHandoff } from './handoffView.ts';

/** Returns no event for a session, because the action that starts a session returns it. */
export const startedEvent = async (botId: string, handoff: Handoff, conversation: Conversation): Promise<Write[]> =>
  conversation.isHitlSession ? [] : eventOf(botId, handoff, HANDOFF_STARTED, { handoff: viewHandoff(handoff) });

export const assignedEvent = async (botId: string, handoff: Handoff, conversation: Conversation): Promise<Write[]> =>
  conversation.isHitlSession && handoff.member
    ? sessionEventOf(botId, handoff, conversation, 'hitlAssigned', { userId: handoff.member.userId })
    : [];

export const endedEvent = (botId: string, handoff: Handoff, conversation: Conversation): Promise<Write[]> =>
  conversation.isHitlSession
    ? sessionEventOf(botId, handoff, conversation, 'hitlStopped')
    : eventOf(botId, handoff, HANDOFF_ENDED, { handoff: viewHandoff(handoff), messages: messagesOf(handoff) });

const sessionEventOf = (
  botId: string,
  handoff: Handoff,
  { integration, webhookId }: Conversation,
  name: string,
  payload: object = {},
) => eventOf(botId, handoff, `${integration}:${name}`, payload, webhookId);

async function eventOf(
  botId: string,
  { conversationId, change, generation }: Handoff,
  type: string,
  payload: object,
  webhookId?: string,
): Promise<Write[]> {
  return putNewEvent(botId, {
    id: timelineId('evb', conversationId, change),
    type,
    status: 'pending',
    conversationId,
    webhookId,
    generation,
    ...(await storeValue(botId, { conversationId, ...payload })),
  });
}
