import * as z from 'zod/mini';
import { updateConversation as update } from '../../shared/bot-chat/conversations.ts';
import { propertyChanges, tagChanges } from '../../shared/bot-chat/inputs.ts';
import { etag } from '../../shared/bot-chat/views/common.ts';
import { ConversationView, viewConversation } from '../../shared/bot-chat/views/conversation.ts';
import { ok } from '../../shared/operation.ts';
import { botChatOperation } from '../../shared/platform/operation.ts';
import { text } from '../../shared/text.ts';

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
