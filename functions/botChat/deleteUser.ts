import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { requireUser } from '#shared/domain/botChat/botChatUsers.ts';
import { rejectBotUser } from '#shared/domain/botChat/botUserRules.ts';
import { endUser } from '#shared/domain/messaging/endUser.ts';

export const deleteUser = botChatOperation({
  name: 'deleteUser',
  summary: 'Deletes a user and removes them from all conversations. Their messages stay.',
  scope: 'bot',
  method: 'DELETE',
  path: '/chat/users/{id}',
  table: 'writes',
  output: z.object({}),
  statuses: [200],

  handle: async call => {
    const { botId, input, nowMs, deadlineMs } = call;
    rejectBotUser(call, input.id);
    const user = await requireUser(call, input.id);
    await endUser({ botId, webhookId: user.webhookId }, user, { shownId: user.id, nowMs, deadlineMs });
    return ok({});
  },
});
