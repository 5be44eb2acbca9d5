import * as z from 'zod/mini';
import { created } from '#shared/api/operation.ts';
import { channel, integrationName, properties, tags } from '#shared/api/platform/inputs.ts';
import { botChatOperation } from '#shared/api/platform/operation.ts';
import { makeConversation } from '#shared/botChat/conversations.ts';
import { etag } from '#shared/botChat/views/common.ts';
import { ConversationView, viewConversation } from '#shared/botChat/views/conversation.ts';

/** `integrationName` is deprecated since the specification says so (RFC 9745): an action of the integration is the way. */
const DEPRECATION = {
  deprecation: '@1704067200',
  link: '<https://www.rfc-editor.org/rfc/rfc9745>; rel="deprecation"; title="Call an action of the integration (callAction), or name it in x-integration-alias, in the place of integrationName."',
};

export const createConversation = botChatOperation({
  name: 'createConversation',
  summary:
    'Creates a conversation in a channel of an integration. `integrationName` is deprecated: name the integration in the header x-integration-alias, or call an action of it (callAction).',
  scope: 'bot',
  method: 'POST',
  path: '/chat/conversations',
  table: 'writes',
  largeValues: 'writes',
  body: z.object({
    channel: channel(),
    tags: tags(),
    integrationName: z.optional(integrationName()),
    properties: z.optional(properties()),
  }),
  output: z.object({ conversation: ConversationView }),
  statuses: [201],

  handle: async call => {
    const { record, writes } = await makeConversation(call, call.input);
    const answer = created({ conversation: viewConversation(call, record) });
    const headers = { ...etag(record.version), ...(call.input.integrationName === undefined ? {} : DEPRECATION) };
    return { ...(await call.commit(answer, writes)), headers };
  },
});
