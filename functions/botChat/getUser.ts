import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { requireUser } from '#shared/domain/botChat/botChatUsers.ts';
import { UserView, viewBotAsUser, viewUser } from '#shared/domain/messaging/botViews/userView.ts';
import { etag } from '#shared/domain/messaging/botViews/viewFields.ts';
import { findBotUser } from '#shared/storage/dynamodb/chat/botUser.ts';

export const getUser = botChatOperation({
  name: 'getUser',
  summary: "Returns a user. The bot's own id returns the bot's user.",
  scope: 'bot',
  method: 'GET',
  path: '/chat/users/{id}',
  table: 'reads',
  output: z.object({ user: UserView }),
  statuses: [200],

  handle: async call => {
    const { bot, botId, input } = call;
    if (input.id === botId) {
      const own = await findBotUser(botId);
      return { ...ok({ user: viewBotAsUser(call, bot, own) }), headers: etag(own.version) };
    }
    const user = await requireUser(call, input.id);
    return { ...ok({ user: viewUser(call, user) }), headers: etag(user.version) };
  },
});
