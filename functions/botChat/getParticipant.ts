import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { notFound } from '#shared/core/errors.ts';
import { requireConversation } from '#shared/domain/botChat/botChatConversations.ts';
import { requireUser } from '#shared/domain/botChat/botChatUsers.ts';
import { UserView, viewBotAsUser, viewUser } from '#shared/domain/messaging/botViews/userView.ts';
import { findBotUser } from '#shared/storage/dynamodb/chat/botUser.ts';
import { findParticipant, isParticipant } from '#shared/storage/dynamodb/chat/participants.ts';

export const getParticipant = botChatOperation({
  name: 'getParticipant',
  summary: 'Returns a participant of a conversation.',
  scope: 'bot',
  method: 'GET',
  path: '/chat/conversations/{id}/participants/{userId}',
  table: 'reads',
  output: z.object({ participant: UserView }),
  statuses: [200],

  handle: async call => {
    const { bot, botId, input } = call;
    if (input.userId === botId) {
      const [own] = await Promise.all([findBotUser(botId), requireConversation(call, input.id)]);
      return ok({ participant: viewBotAsUser(call, bot, own) });
    }
    const [conversation, user, participant] = await Promise.all([
      requireConversation(call, input.id),
      requireUser(call, input.userId),
      findParticipant(botId, input.id, input.userId),
    ]);
    if (!isParticipant(participant, conversation, user)) throw notFound(`The participant ${input.userId}`);
    return ok({ participant: viewUser(call, user) });
  },
});
