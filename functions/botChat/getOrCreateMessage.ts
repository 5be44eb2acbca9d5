import * as z from 'zod/mini';
import { createdOrFound, MEGABYTE } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { tagChanges } from '#shared/api/platform/tagInputs.ts';
import { anything, discriminators, id, typeName } from '#shared/domain/botChat/botChatInputs.ts';
import * as messages from '#shared/domain/botChat/messages/getOrCreateMessage.ts';
import { MessageView } from '#shared/domain/messaging/botViews/messageView.ts';
import { schedule } from '#shared/domain/messaging/schedule.ts';

export const getOrCreateMessage = botChatOperation({
  name: 'getOrCreateMessage',
  summary:
    'Returns the message of a conversation with these tags, or creates it. A match has all of the tags and no others, or the tags that discriminateByTags names.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/messages/get-or-create',
  table: 'writes',
  partitions: { reads: ['webhooks'] },
  largeValues: 'writes',
  payloadLimitBytes: MEGABYTE,
  body: z.object({
    payload: z.optional(anything()),
    userId: id(),
    conversationId: id(),
    type: typeName(),
    schedule: z.optional(schedule()),
    origin: z.optional(z.literal('synthetic')),
    tags: tagChanges(),
    discriminateByTags: z.optional(discriminators()),
  }),
  output: z.object({ message: MessageView, meta: z.object({ created: z.boolean() }) }),
  statuses: [200, 201],

  handle: async call => {
    const { record, isNew, writes } = await messages.getOrCreateMessage(call, call.input);
    return call.commit(createdOrFound(isNew, { message: record }), writes);
  },
});
