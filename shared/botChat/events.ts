/** Events, as bots and integrations find and create them. */
import { type Event, findEvent } from '#shared/dynamodb/chat/events.ts';
import { invalidPayload, notFound } from '#shared/errors.ts';
import { parseTimelineId } from '#shared/ids.ts';
import { type CallerScope, canSee } from '#shared/messaging/callerScope.ts';
import { requireConversation } from './conversations.ts';
import { requireMessage } from './messages/requireMessage.ts';
import { requireUser } from './users.ts';
import { requireWorkflow } from './workflows/requireWorkflow.ts';

/** @throws ApiError ResourceNotFound when there is no such event for this caller */
export async function requireEvent(scope: CallerScope, id: string): Promise<Event> {
  const event = await findEvent(scope.botId, id);
  if (!event || !canSee(scope, event)) throw notFound(`The event ${id}`);
  return event;
}

/**
 * Checks that the records linked to an event or workflow exist.
 * @returns the conversation, which may be implied by the message
 * @throws ApiError ResourceNotFound for a missing record, InvalidPayload for a message of another conversation
 */
export async function requireLinks(
  scope: CallerScope,
  links: {
    conversationId?: string | undefined;
    userId?: string | undefined;
    messageId?: string | undefined;
    workflowId?: string | undefined;
  },
): Promise<{ conversationId?: string | undefined; generation?: number }> {
  const { userId, messageId, workflowId } = links;
  const messageConversationId = messageId && parseTimelineId('msg', messageId)?.conversationId;
  const conversationId = links.conversationId ?? messageConversationId;
  if (messageConversationId && messageConversationId !== conversationId) {
    throw invalidPayload('Belongs to another conversation than conversationId.', 'messageId');
  }
  const [conversation] = await Promise.all([
    conversationId === undefined ? undefined : requireConversation(scope, conversationId),
    userId === undefined || userId === scope.botId ? undefined : requireUser(scope, userId),
    messageId === undefined ? undefined : requireMessage(scope, messageId),
    workflowId === undefined ? undefined : requireWorkflow(scope, workflowId),
  ]);
  return { conversationId: conversation?.id, generation: conversation?.generation ?? 0 };
}
