import * as z from 'zod/mini';
import { dateTime, iso } from '#shared/api/views.ts';
import { isOfTeam, shownTags, type ViewScope } from '#shared/domain/messaging/callerScope.ts';
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
  /** Labels of the inbox, shown only to members and the bot; extends the contract. */
  labelIds: z.optional(z.array(z.string())),
});

export const viewConversation = (scope: ViewScope, conversation: Conversation): z.infer<typeof ConversationView> => ({
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
  ...(isOfTeam(scope) ? { labelIds: conversation.labelIds } : {}),
});
