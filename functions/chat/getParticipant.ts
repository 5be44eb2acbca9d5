import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { chatOperation } from '#shared/api/operations/chat.ts';
import { notFound } from '#shared/core/errors.ts';
import { resolveUserId } from '#shared/core/ids.ts';
import { ParticipantView, viewParticipant } from '#shared/domain/chat/chatViews.ts';
import { findParticipant, isParticipant } from '#shared/storage/dynamodb/chat/participants.ts';
import { findUser } from '#shared/storage/dynamodb/chat/users.ts';

export const getParticipant = chatOperation({
  name: 'getParticipant',
  summary: 'Returns a participant of a conversation to its owner or to the participant.',
  method: 'GET',
  path: '/conversations/{conversationId}/participants/{userId}',
  access: { who: 'ownerOrSelf', of: input => input.conversationId, self: input => input.userId },
  table: 'reads',
  output: z.object({ participant: ParticipantView }),
  statuses: [200],

  read: async ({ webhook, botId, input, conversationId }) => {
    const userId = resolveUserId(webhook.webhookId, input.userId);
    if (!userId) return undefined;
    const [participant, user] = await Promise.all([
      findParticipant(botId, conversationId, userId),
      findUser(webhook, { id: userId }),
    ]);
    return participant && user && { user, participant };
  },
  handle: async ({ input, participant: caller, read: found }) => {
    if (!found || !isParticipant(found.participant, caller, found.user))
      throw notFound(`The participant ${input.userId}`);
    return ok({ participant: viewParticipant(found.user, found.participant, caller.userId) });
  },
});
