import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { propertyChanges, tagChanges } from '#shared/api/platform/inputs.ts';
import { botChatOperation } from '#shared/api/platform/operation.ts';
import { updateConversation as update } from '#shared/botChat/conversations.ts';
import { etag } from '#shared/botChat/views/common.ts';
import { ConversationView, viewConversation } from '#shared/botChat/views/conversation.ts';
import { text } from '#shared/text.ts';

export const updateConversation = botChatOperation({
  name: 'updateConversation',
  summary: 'Changes tags and properties of a conversation, each by itself; null or an empty text takes one away.',
  scope: 'bot',
  method: 'PUT',
  path: '/chat/conversations/{id}',
  table: 'writes',
  isVersioned: true,
  body: z.object({
    currentTaskId: z.optional(text(200)),
    tags: z.optional(tagChanges()),
    properties: z.optional(propertyChanges()),
  }),
  output: z.object({ conversation: ConversationView }),
  statuses: [200],

  handle: async call => {
    const conversation = await update(call, call.input.id, call.input);
    return { ...ok({ conversation: viewConversation(call, conversation) }), headers: etag(conversation.version) };
  },
});
