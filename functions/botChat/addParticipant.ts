import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { addParticipantWrites } from '#shared/domain/botChat/addParticipantWrites.ts';
import { requireConversation } from '#shared/domain/botChat/botChatConversations.ts';
import { id } from '#shared/domain/botChat/botChatInputs.ts';
import { requireUser } from '#shared/domain/botChat/botChatUsers.ts';
import { UserView, viewBotAsUser, viewUser } from '#shared/domain/messaging/botViews/userView.ts';
import { requireRoomForParticipant } from '#shared/domain/messaging/participantLimit.ts';
import { findBotUser } from '#shared/storage/dynamodb/chat/botUser.ts';
import { findParticipant, isParticipant } from '#shared/storage/dynamodb/chat/participants.ts';

export const addParticipant = botChatOperation({
  name: 'addParticipant',
  summary: 'Adds a user to a conversation. Adding a participant again changes nothing.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/conversations/{id}/participants',
  table: 'writes',
  largeValues: 'writes',
  body: z.object({ userId: id() }),
  output: z.object({ participant: UserView }),
  statuses: [200],

  handle: async call => {
    const { bot, botId, input, nowMs, commit } = call;
    if (input.userId === botId) {
      // The bot participates in all of its conversations.
      const [own] = await Promise.all([findBotUser(botId), requireConversation(call, input.id)]);
      return commit(ok({ participant: viewBotAsUser(call, bot, own) }), []);
    }
    const [conversation, user, existing] = await Promise.all([
      requireConversation(call, input.id),
      requireUser(call, input.userId),
      findParticipant(botId, input.id, input.userId),
    ]);
    const answer = ok({ participant: viewUser(call, user) });
    if (isParticipant(existing, conversation, user)) return commit(answer, []);
    await requireRoomForParticipant(botId, conversation.id);
    return commit(answer, addParticipantWrites(botId, conversation, user, { nowMs }));
  },
});
