import * as z from 'zod/mini';
import type { Caller } from '#shared/api/caller.ts';
import { isParticipation } from '#shared/api/chat/authorise.ts';
import { ok } from '#shared/api/operation.ts';
import { chatOperation } from '#shared/api/operations/chat.ts';
import { ApiError, invalidPayload, notFound } from '#shared/core/errors.ts';
import { isForeignId, resolveConversationId } from '#shared/core/ids.ts';
import { ConversationView, viewConversation } from '#shared/domain/chat/chatViews.ts';
import { startConversation } from '#shared/domain/chat/startConversation.ts';
import { findUserConversation } from '#shared/storage/dynamodb/chat/userConversations.ts';
import type { Webhook } from '#shared/storage/dynamodb/chat/webhooks.ts';

export const getOrCreateConversation = chatOperation({
  name: 'getOrCreateConversation',
  summary:
    'Returns the conversation with this id if the caller is a participant, or creates it with the caller as owner.',
  method: 'POST',
  path: '/conversations/get-or-create',
  access: { who: 'user' },
  table: 'writes',
  largeValues: 'writes',
  body: z.object({ id: z.string() }),
  output: z.object({ conversation: ConversationView }),
  statuses: [200, 201],

  handle: async call => {
    const { webhook, caller, input, commit } = call;
    const conversationId = resolveConversationId(webhook.webhookId, input.id);
    if (!conversationId)
      throw invalidPayload("Must be 1 to 70 characters of A-Z a-z 0-9 _ -, or a conversation's id", 'id');

    const known = await conversationOf(webhook, caller, conversationId);
    if (known) return commit(ok({ conversation: viewConversation(known) }), []);

    // New conversations cannot have generated ids.
    if (!isForeignId(input.id)) throw notFound(`The conversation ${input.id}`);
    try {
      return await startConversation(call, input.id);
    } catch (error) {
      // A concurrent call of the caller may have created it.
      if (!(error instanceof ApiError && error.type === 'AlreadyExists')) throw error;
      const joined = await conversationOf(webhook, caller, conversationId);
      if (joined) return commit(ok({ conversation: viewConversation(joined) }), []);
      throw new ApiError('Forbidden', `You are not a participant of the conversation ${input.id}.`);
    }
  },
});

async function conversationOf(webhook: Webhook, caller: Caller, conversationId: string) {
  const found = await findUserConversation(webhook.botId, conversationId, caller.userId);
  return found && isParticipation(webhook, caller, found.participant) ? found.conversation : undefined;
}
