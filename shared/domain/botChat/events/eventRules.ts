import { cached } from '#shared/core/cache.ts';
import { invalidPayload, notFound } from '#shared/core/errors.ts';
import { parseTimelineId } from '#shared/core/ids.ts';
import { requireConversation } from '#shared/domain/botChat/botChatConversations.ts';
import { requireUser } from '#shared/domain/botChat/botChatUsers.ts';
import { requireMessage } from '#shared/domain/botChat/messages/requireMessage.ts';
import { requireWorkflow } from '#shared/domain/botChat/requireWorkflow.ts';
import { type CallerScope, canSee, shownName } from '#shared/domain/messaging/callerScope.ts';
import { requireSchema } from '#shared/outbound/installations/requireSchema.ts';
import type { Conversation } from '#shared/storage/dynamodb/chat/conversations.ts';
import { type Event, findEvent } from '#shared/storage/dynamodb/chat/events.ts';
import type { Workflow } from '#shared/storage/dynamodb/chat/workflows.ts';
import { findIntegrationWithDefinition } from '#shared/storage/dynamodb/integrations/integrations.ts';

export async function requireEvent(scope: CallerScope, id: string): Promise<Event> {
  const event = await findEvent(scope.botId, id);
  if (!event || !canSee(scope, event)) throw notFound(`The event ${id}`);
  return event;
}

/**
 * Validates an integration's event against its definition. Undeclared events and events of the bot itself are not
 * validated.
 * @throws ApiError InvalidPayload that names the field
 */
export async function requireDeclaredPayload(
  { installation }: Pick<CallerScope, 'installation'>,
  type: string,
  payload: unknown,
): Promise<void> {
  if (!installation) return;
  const events = (await findDefinition(installation.integrationId))?.events ?? {};
  const name = shownName({ installation }, type);
  if (Object.hasOwn(events, name)) requireSchema(events[name]!.schema, payload, 'payload');
}

/** Maximum delay until a changed definition takes effect. */
const CACHE_MS = 10_000;
const findDefinition = cached(
  async (integrationId: string) => (await findIntegrationWithDefinition(integrationId))?.definition,
  { forMs: CACHE_MS, keepsAbsence: false, upTo: 100 },
);

/**
 * Requires that the records linked to an event or workflow exist.
 * @returns the conversation, which may follow from the message, and the workflow
 * @throws ApiError ResourceNotFound, or InvalidPayload for a message of another conversation
 */
export async function requireLinks(
  scope: CallerScope,
  links: {
    conversationId?: string | undefined;
    userId?: string | undefined;
    messageId?: string | undefined;
    workflowId?: string | undefined;
  },
): Promise<{ conversation: Conversation | undefined; workflow: Workflow | undefined }> {
  const { userId, messageId, workflowId } = links;
  const messageConversationId = messageId && parseTimelineId('msg', messageId)?.conversationId;
  const conversationId = links.conversationId ?? messageConversationId;
  if (messageConversationId && messageConversationId !== conversationId) {
    throw invalidPayload('Must be a message of the conversation in conversationId.', 'messageId');
  }
  const [conversation, workflow] = await Promise.all([
    conversationId === undefined ? undefined : requireConversation(scope, conversationId),
    workflowId === undefined ? undefined : requireWorkflow(scope, workflowId),
    userId === undefined || userId === scope.botId ? undefined : requireUser(scope, userId),
    messageId === undefined ? undefined : requireMessage(scope, messageId),
  ]);
  return { conversation, workflow };
}
