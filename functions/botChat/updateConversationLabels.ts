import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { id } from '#shared/domain/botChat/botChatInputs.ts';
import { labelConversation } from '#shared/domain/botChat/labelConversation.ts';
import { ConversationView, viewConversation } from '#shared/domain/messaging/botViews/conversationView.ts';

/** Labels that one call adds or removes: as many as a workspace can have. */
const labelIds = () => z.optional(z.array(id()).check(z.maxLength(100)));

export const updateConversationLabels = botChatOperation({
  name: 'updateConversationLabels',
  summary:
    'Adds labels to a conversation and removes others. Ignores those that it already has or lacks. Integrations and end users do not see labels.',
  scope: 'bot',
  method: 'PUT',
  path: '/chat/conversations/{id}/labels',
  table: 'writes',
  partitions: { reads: ['agents'] },
  body: z.object({ add: labelIds(), remove: labelIds() }),
  output: z.object({ conversation: ConversationView }),
  statuses: [200],

  handle: async call => {
    const { id: conversationId, ...change } = call.input;
    const { conversation, writes } = await labelConversation(call, conversationId, change);
    return call.commit(ok({ conversation: viewConversation(call, conversation) }), writes);
  },
});
