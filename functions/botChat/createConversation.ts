import * as z from 'zod/mini';
import { created, MEGABYTE } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { tags } from '#shared/api/platform/tagInputs.ts';
import * as conversations from '#shared/domain/botChat/botChatConversations.ts';
import { channel, integrationName, properties } from '#shared/domain/botChat/botChatInputs.ts';
import { createThroughIntegration } from '#shared/domain/botChat/createThroughIntegration.ts';
import { ConversationView, viewConversation } from '#shared/domain/messaging/botViews/conversationView.ts';
import { etag } from '#shared/domain/messaging/botViews/viewFields.ts';

/** `integrationName` is deprecated (RFC 9745) in favour of the header x-integration-alias and of actions. */
const DEPRECATION = {
  deprecation: '@1704067200',
  link: '<https://www.rfc-editor.org/rfc/rfc9745>; rel="deprecation"; title="Use the header x-integration-alias, or call an action of the integration (callAction), instead of integrationName."',
};

export const createConversation = botChatOperation({
  name: 'createConversation',
  summary:
    'Creates a conversation in a channel of an integration. One that the caller names makes it itself, if its definition says that it creates conversations of the channel. `integrationName` is deprecated: use the header x-integration-alias, or call an action of the integration (callAction).',
  scope: 'bot',
  method: 'POST',
  path: '/chat/conversations',
  table: 'writes',
  // `logs`: console output of the integration's deployed code.
  partitions: { appends: ['logs'] },
  largeValues: 'writes',
  callsEndpoints: true,
  payloadLimitBytes: MEGABYTE,
  body: z.object({
    channel: channel(),
    tags: tags(),
    integrationName: z.optional(integrationName()),
    properties: z.optional(properties()),
  }),
  output: z.object({ conversation: ConversationView }),
  statuses: [201],

  handle: async call => {
    const deprecation = call.input.integrationName === undefined ? {} : DEPRECATION;
    const madeId = await createThroughIntegration(call, { kind: 'conversation', ...call.input });
    if (madeId !== undefined) {
      const made = await conversations.completeConversation(call, madeId, call.input.properties);
      return {
        ...created({ conversation: viewConversation(call, made) }),
        headers: { ...etag(made.version), ...deprecation },
      };
    }
    const { record, writes } = await conversations.createConversation(call, call.input);
    const answer = created({ conversation: viewConversation(call, record) });
    const headers = { ...etag(record.version), ...deprecation };
    return { ...(await call.commit(answer, writes)), headers };
  },
});
