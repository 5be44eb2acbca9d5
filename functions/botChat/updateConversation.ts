import * as z from 'zod/mini';
import { MEGABYTE, ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { tagChanges } from '#shared/api/platform/tagInputs.ts';
import { text } from '#shared/core/text.ts';
import * as conversations from '#shared/domain/botChat/botChatConversations.ts';
import { propertyChanges } from '#shared/domain/botChat/botChatInputs.ts';
import { ConversationView, viewConversation } from '#shared/domain/messaging/botViews/conversationView.ts';
import { etag } from '#shared/domain/messaging/botViews/viewFields.ts';

export const updateConversation = botChatOperation({
  name: 'updateConversation',
  summary: 'Updates tags and properties of a conversation key by key. Null or an empty string removes a key.',
  scope: 'bot',
  method: 'PUT',
  path: '/chat/conversations/{id}',
  table: 'writes',
  isVersioned: true,
  payloadLimitBytes: MEGABYTE,
  body: z.object({
    currentTaskId: z.optional(text(200)),
    tags: z.optional(tagChanges()),
    properties: z.optional(propertyChanges()),
  }),
  output: z.object({ conversation: ConversationView }),
  statuses: [200],

  handle: async call => {
    const conversation = await conversations.updateConversation(call, call.input.id, call.input);
    return { ...ok({ conversation: viewConversation(call, conversation) }), headers: etag(conversation.version) };
  },
});
