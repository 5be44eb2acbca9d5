import * as z from 'zod/mini';
import { created } from '#shared/api/operation.ts';
import { anything, id, schedule, tags, typeName } from '#shared/api/platform/inputs.ts';
import { botChatOperation } from '#shared/api/platform/operation.ts';
import { makeMessage } from '#shared/botChat/messages.ts';
import { MessageView } from '#shared/botChat/views/message.ts';

export const createMessage = botChatOperation({
  name: 'createMessage',
  summary:
    'Says something in a conversation, now or at a time: by the bot (its own id as userId) or by a user, who then takes part in it.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/messages',
  table: 'writes',
  largeValues: 'writes',
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
    const { record, writes } = await makeMessage(call, call.input);
    return call.commit(created({ message: record }), writes);
  },
});
