import * as z from 'zod/mini';
import { dateTime, iso } from '#shared/api/views.ts';
import { type CallerScope, shownTags } from '#shared/domain/messaging/callerScope.ts';
import { type Conversation, tagsOfConversation } from '#shared/storage/dynamodb/chat/conversations.ts';
import { Names } from './viewFields.ts';

export const ConversationView = z.object({
  id: z.string(),
  createdAt: dateTime(),
  updatedAt: dateTime(),
  channel: z.string(),
  integration: z.string(),
  tags: Names,
  messageCount: z.number(),
  currentTaskId: z.optional(z.string()),
  currentWorkflowId: z.optional(z.string()),
  properties: z.optional(Names),
});

export const viewConversation = (
  scope: Pick<CallerScope, 'installation'>,
  conversation: Conversation,
): z.infer<typeof ConversationView> => ({
  id: conversation.id,
  createdAt: iso(conversation.createdAtMs),
  updatedAt: iso(conversation.updatedAtMs),
  channel: conversation.channel,
  integration: conversation.integration,
  tags: shownTags(scope, tagsOfConversation(conversation)),
  messageCount: conversation.messageCount,
  currentTaskId: conversation.currentTaskId,
  currentWorkflowId: conversation.currentWorkflowId,
  properties: conversation.properties,
});
