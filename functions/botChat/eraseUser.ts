import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { notFound } from '#shared/core/errors.ts';
import { isUserId } from '#shared/core/ids.ts';
import { requestErasure } from '#shared/storage/dynamodb/chat/erasures.ts';

export const eraseUser = botChatOperation({
  name: 'eraseUser',
  summary:
    'Erases a user with everything that they wrote and every copy of it, also a user who was deleted before. They are not found from now on; the rest follows in the background. See docs/export.md.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/users/{id}/erase',
  isIrreversible: true,
  table: 'writes',
  output: z.object({}),
  statuses: [200],

  // The consumer `sweepDeleted` erases and is idempotent.
  handle: async ({ botId, input, nowMs }) => {
    // Rejects the bot's own user, which is deleted with the bot.
    if (!isUserId(input.id)) throw notFound(`The user ${input.id}`);
    await requestErasure(botId, input.id, nowMs);
    return ok({});
  },
});
