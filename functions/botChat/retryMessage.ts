import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { ApiError } from '#shared/core/errors.ts';
import { requireMessage } from '#shared/domain/botChat/messages/requireMessage.ts';
import { retryMessage as retry } from '#shared/events/delivery/retryMessage.ts';

export const retryMessage = botChatOperation({
  name: 'retryMessage',
  summary:
    'Retries the failed or pending delivery of a message: of a user to the bot, or of the bot to its integration.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/messages/{id}/retry',
  table: 'writes',
  partitions: { writes: ['endpoints', 'pausedConversations'] },
  body: z.object({}),
  output: z.object({}),
  statuses: [200],

  handle: async call => {
    const { botId, input, commit } = call;
    const writes = await retry(botId, await requireMessage(call, input.id));
    if (writes) return commit(ok({}), writes);
    throw new ApiError('RelationConflict', 'This message has no failed or pending delivery.');
  },
});
