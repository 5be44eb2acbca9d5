import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { requireMessage } from '#shared/domain/botChat/messages/requireMessage.ts';
import { loadMessage, MessageView } from '#shared/domain/messaging/botViews/messageView.ts';
import { etag } from '#shared/domain/messaging/botViews/viewFields.ts';

export const getMessage = botChatOperation({
  name: 'getMessage',
  summary: 'Returns a message, including a scheduled one.',
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
