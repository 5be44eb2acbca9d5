import * as z from 'zod/mini';
import { created, MEGABYTE } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { tags } from '#shared/api/platform/tagInputs.ts';
import { integrationName, properties, userFields } from '#shared/domain/botChat/botChatInputs.ts';
import * as users from '#shared/domain/botChat/botChatUsers.ts';
import { createThroughIntegration } from '#shared/domain/botChat/createThroughIntegration.ts';
import { UserView, viewUser } from '#shared/domain/messaging/botViews/userView.ts';
import { etag } from '#shared/domain/messaging/botViews/viewFields.ts';

export const createUser = botChatOperation({
  name: 'createUser',
  summary:
    'Creates a user of an integration. One that the caller names makes it itself, if its definition says that it creates users.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/users',
  table: 'writes',
  // `logs`: console output of the integration's deployed code.
  partitions: { appends: ['logs'] },
  largeValues: 'writes',
  callsEndpoints: true,
  payloadLimitBytes: MEGABYTE,
  body: z.object({
    tags: tags(),
    integrationName: z.optional(integrationName()),
    ...userFields,
    properties: z.optional(properties()),
    attributes: z.optional(properties()),
  }),
  output: z.object({ user: UserView }),
  statuses: [201],

  handle: async call => {
    const madeId = await createThroughIntegration(call, { kind: 'user', ...call.input });
    if (madeId !== undefined) {
      const { tags: _, ...fields } = call.input;
      const made = await users.completeUser(call, madeId, fields);
      return { ...created({ user: viewUser(call, made) }), headers: etag(made.version) };
    }
    const { record, writes } = await users.createUser(call, call.input);
    const answer = created({ user: viewUser(call, record) });
    return { ...(await call.commit(answer, writes)), headers: etag(record.version) };
  },
});
