/** Events, as the bot-level operations find them. */
import { invalidPayload, notFound } from '#shared/errors.ts';
import { type Event, findEvent } from '#shared/dynamodb/chat/events.ts';
import { parseTimelineId } from '#shared/ids.ts';
import { type Place, sees } from '#shared/messaging/callerScope.ts';
import { requireConversation } from './conversations.ts';
import { requireMessage } from './messages.ts';
import { requireWorkflow } from './requireWorkflow.ts';
import { requireUser } from './users.ts';

/** @throws ApiError ResourceNotFound when there is no such event for this caller */
export async function requireEvent(place: Place, id: string): Promise<Event> {
  const event = await findEvent(place.botId, id);
  if (!event || !sees(place, event)) throw notFound(`The event ${id}`);
  return event;
}

/**
 * What an event is linked to must be there. @returns its conversation, which may be that of its message
 * @throws ApiError ResourceNotFound for what is not
 */
export async function requireLinks(
  place: Place,
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
    conversationId === undefined ? undefined : requireConversation(place, conversationId),
    userId === undefined || userId === place.botId ? undefined : requireUser(place, userId),
    messageId === undefined ? undefined : requireMessage(place, messageId),
    workflowId === undefined ? undefined : requireWorkflow(place, workflowId),
  ]);
  return { conversationId: conversation?.id, generation: conversation?.generation ?? 0 };
}
