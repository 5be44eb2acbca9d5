import * as z from 'zod/mini';
import { created, MEGABYTE } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { tags } from '#shared/api/platform/tagInputs.ts';
import { anything, typeName } from '#shared/domain/botChat/botChatInputs.ts';
import { replyInHandoff as reply } from '#shared/domain/botChat/handoffs/reply.ts';
import { MessageView } from '#shared/domain/messaging/botViews/messageView.ts';

export const replyInHandoff = botChatOperation({
  name: 'replyInHandoff',
  summary: 'Creates a message of the assignee of a conversation, under their name and picture.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/handoffs/{id}/messages',
  table: 'writes',
  partitions: { reads: ['webhooks'], appends: ['reports'] },
  largeValues: 'writes',
  payloadLimitBytes: MEGABYTE,
  body: z.object({ type: typeName(), payload: anything(), tags: z.optional(tags()) }),
  output: z.object({ message: MessageView }),
  statuses: [201],

  handle: async call => {
    const { record, writes } = await reply(call, call.input.id, call.input);
    return call.commit(created({ message: record }), writes);
  },
});
