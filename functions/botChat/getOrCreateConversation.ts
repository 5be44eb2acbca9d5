import * as z from 'zod/mini';
import { createdOrFound, MEGABYTE } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { tagChanges } from '#shared/api/platform/tagInputs.ts';
import * as conversations from '#shared/domain/botChat/botChatConversations.ts';
import { channel, discriminators, integrationName, propertyChanges } from '#shared/domain/botChat/botChatInputs.ts';
import { ConversationView, viewConversation } from '#shared/domain/messaging/botViews/conversationView.ts';
import { etag } from '#shared/domain/messaging/botViews/viewFields.ts';

export const getOrCreateConversation = botChatOperation({
  name: 'getOrCreateConversation',
  summary:
    'Returns the conversation of a channel with these tags, or creates it. A match has all of the tags and no others, or the tags that discriminateByTags names.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/conversations/get-or-create',
  table: 'writes',
  largeValues: 'writes',
  payloadLimitBytes: MEGABYTE,
  body: z.object({
    channel: channel(),
    tags: tagChanges(),
    integrationName: z.optional(integrationName()),
    properties: z.optional(propertyChanges()),
    discriminateByTags: z.optional(discriminators()),
  }),
  output: z.object({ conversation: ConversationView, meta: z.object({ created: z.boolean() }) }),
  statuses: [200, 201],

  handle: async call => {
    const { record, isNew, writes } = await conversations.getOrCreateConversation(call, call.input);
    const answer = createdOrFound(isNew, { conversation: viewConversation(call, record) });
    return { ...(await call.commit(answer, writes)), headers: etag(record.version) };
  },
});
