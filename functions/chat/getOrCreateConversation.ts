import * as z from 'zod/mini';
import { chatOperation } from '#shared/api/chat/operation.ts';
import { ok } from '#shared/api/operation.ts';
import { startConversation } from '#shared/chat/startConversation.ts';
import { ConversationView, viewConversationOf } from '#shared/chat/views.ts';
import { findParticipant } from '#shared/dynamodb/chat/participants.ts';
import { ApiError, invalidPayload, notFound } from '#shared/errors.ts';
import { isForeignId, resolveConversationId } from '#shared/ids.ts';

export const getOrCreateConversation = chatOperation({
  name: 'getOrCreateConversation',
  summary: 'The conversation with this id if the caller takes part in it, or a new one that he owns.',
  method: 'POST',
  path: '/conversations/get-or-create',
  access: { who: 'user' },
  table: 'writes',
  largeValues: 'writes',
  body: z.object({ id: z.string() }),
  output: z.object({ conversation: ConversationView }),
  statuses: [200, 201],

  handle: async call => {
    const { webhook, botId, caller, input, commit } = call;
    const conversationId = resolveConversationId(webhook.webhookId, input.id);
    if (!conversationId) throw invalidPayload("Must be 1 to 70 of A-Z a-z 0-9 _ -, or a conversation's id", 'id');

    const participant = await findParticipant(botId, conversationId, caller.userId);
    if (participant?.webhookId === webhook.webhookId)
      return commit(ok({ conversation: viewConversationOf(participant) }), []);

    // One of our own ids can be found but not be chosen.
    if (!isForeignId(input.id)) throw notFound(`The conversation ${input.id}`);
    try {
      return await startConversation(call, input.id);
    } catch (error) {
      // It exists, and the caller was not in it a moment ago. Had he created it himself meanwhile, he is now.
      if (!(error instanceof ApiError && error.type === 'AlreadyExists')) throw error;
      const joined = await findParticipant(botId, conversationId, caller.userId);
      if (joined) return commit(ok({ conversation: viewConversationOf(joined) }), []);
      throw new ApiError('Forbidden', `You do not take part in the conversation ${input.id}.`);
    }
  },
});
