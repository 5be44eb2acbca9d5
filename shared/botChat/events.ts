/** Events, as the bot-level operations find them. */

import { type Event, findEvent } from '#shared/dynamodb/chat/events.ts';
import { invalidPayload, notFound } from '#shared/errors.ts';
import { parseTimelineId } from '#shared/ids.ts';
import { type CallerScope, canSee } from '#shared/messaging/callerScope.ts';
import { requireConversation } from './conversations.ts';
import { requireMessage } from './messages.ts';
import { requireWorkflow } from './requireWorkflow.ts';
import { requireUser } from './users.ts';

/** @throws ApiError ResourceNotFound when there is no such event for this caller */
export async function requireEvent(scope: CallerScope, id: string): Promise<Event> {
  const event = await findEvent(scope.botId, id);
  if (!event || !canSee(scope, event)) throw notFound(`The event ${id}`);
  return event;
}

/**
 * What an event is linked to must be there. @returns its conversation, which may be that of its message
 * @throws ApiError ResourceNotFound for what is not
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
  const ofMessage = messageId && parseTimelineId('msg', messageId)?.conversationId;
  const conversationId = links.conversationId ?? ofMessage;
  if (ofMessage && ofMessage !== conversationId) {
    throw invalidPayload('This message is of another conversation than conversationId says.', 'messageId');
  }
  const [conversation] = await Promise.all([
    conversationId === undefined ? undefined : requireConversation(scope, conversationId),
    userId === undefined || userId === scope.botId ? undefined : requireUser(scope, userId),
    messageId === undefined ? undefined : requireMessage(scope, messageId),
    workflowId === undefined ? undefined : requireWorkflow(scope, workflowId),
  ]);
  return { conversationId: conversation?.id, generation: conversation?.generation ?? 0 };
}
