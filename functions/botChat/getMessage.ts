import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/platform/operation.ts';
import { requireMessage } from '#shared/botChat/messages.ts';
import { etag } from '#shared/botChat/views/common.ts';
import { loadMessage, MessageView } from '#shared/botChat/views/message.ts';

export const getMessage = botChatOperation({
  name: 'getMessage',
  summary: 'One message, also one that waits for its time.',
  scope: 'bot',
  method: 'GET',
  path: '/chat/messages/{id}',
  table: 'reads',
  largeValues: 'reads',
  output: z.object({ message: MessageView }),
  statuses: [200],

  handle: async call => {
    const { conversation, entry } = await requireMessage(call, call.input.id);
    return { ...ok({ message: await loadMessage(call, conversation.id, entry) }), headers: etag(entry.version) };
  },
});
