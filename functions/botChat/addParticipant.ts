import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { id } from '#shared/api/platform/inputs.ts';
import { botChatOperation } from '#shared/api/platform/operation.ts';
import { requireConversation } from '#shared/botChat/conversations.ts';
import { join } from '#shared/botChat/participants.ts';
import { requireUser } from '#shared/botChat/users.ts';
import { UserView, viewBotAsUser, viewUser } from '#shared/botChat/views/user.ts';
import { findParticipant } from '#shared/dynamodb/chat/participants.ts';

export const addParticipant = botChatOperation({
  name: 'addParticipant',
  summary: 'Lets a user take part in a conversation. Adding one who takes part already changes nothing.',
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
      // The bot takes part in all of its conversations.
      await requireConversation(call, input.id);
      return commit(ok({ participant: viewBotAsUser(bot) }), []);
    }
    const [conversation, user, existing] = await Promise.all([
      requireConversation(call, input.id),
      requireUser(call, input.userId),
      findParticipant(botId, input.id, input.userId),
    ]);
    const isIn = existing?.generation === conversation.generation;
    return commit(ok({ participant: viewUser(call, user) }), isIn ? [] : join(botId, conversation, user, { nowMs }));
  },
});
