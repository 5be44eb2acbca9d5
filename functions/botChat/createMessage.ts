import * as z from 'zod/mini';
import { created, MEGABYTE } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { tags } from '#shared/api/platform/tagInputs.ts';
import { ApiError } from '#shared/core/errors.ts';
import { anything, id, typeName } from '#shared/domain/botChat/botChatInputs.ts';
import * as messages from '#shared/domain/botChat/messages/createMessage.ts';
import { MessageView } from '#shared/domain/messaging/botViews/messageView.ts';
import { schedule } from '#shared/domain/messaging/schedule.ts';

export const createMessage = botChatOperation({
  name: 'createMessage',
  summary:
    'Creates a message in a conversation, now or at a scheduled time: from the bot (its id as userId) or from a user, who becomes a participant.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/messages',
  table: 'writes',
  partitions: { reads: ['webhooks'] },
  largeValues: 'writes',
  payloadLimitBytes: MEGABYTE,
  body: z.object({
    payload: anything(),
    userId: id(),
    conversationId: id(),
    type: typeName(),
    schedule: z.optional(schedule()),
    origin: z.optional(z.literal('synthetic')),
    tags: tags(),
  }),
  output: z.object({ message: MessageView }),
  statuses: [201],

  handle: async call => {
    const isAgent = call.isLimitedToOwn && call.principal.kind === 'account';
    const { userId, payload } = call.input;
    // In some conversations, the payload names the author: docs/api/botChat.md#hitl.
    if (isAgent && (userId !== call.botId || payload.userId !== undefined)) {
      throw new ApiError(
        'Forbidden',
        'Agents can only create messages of the bot. Set userId to the id of the bot, and omit payload.userId.',
      );
    }
    const { record, writes } = await messages.createMessage(call, call.input);
    return call.commit(created({ message: record }), writes);
  },
});
