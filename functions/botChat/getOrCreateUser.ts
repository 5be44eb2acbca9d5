import * as z from 'zod/mini';
import { createdOrFound, MEGABYTE } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { tagChanges } from '#shared/api/platform/tagInputs.ts';
import { discriminators, integrationName, propertyChanges, userFields } from '#shared/domain/botChat/botChatInputs.ts';
import * as users from '#shared/domain/botChat/botChatUsers.ts';
import { UserView, viewUser } from '#shared/domain/messaging/botViews/userView.ts';
import { etag } from '#shared/domain/messaging/botViews/viewFields.ts';

export const getOrCreateUser = botChatOperation({
  name: 'getOrCreateUser',
  summary:
    'Returns the user of an integration with these tags, or creates it. A match has all of the tags and no others, or the tags that discriminateByTags names.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/users/get-or-create',
  table: 'writes',
  largeValues: 'writes',
  payloadLimitBytes: MEGABYTE,
  body: z.object({
    tags: tagChanges(),
    integrationName: z.optional(integrationName()),
    ...userFields,
    properties: z.optional(propertyChanges()),
    attributes: z.optional(propertyChanges()),
    discriminateByTags: z.optional(discriminators()),
  }),
  output: z.object({ user: UserView, meta: z.object({ created: z.boolean() }) }),
  statuses: [200, 201],

  handle: async call => {
    const { record, isNew, writes } = await users.getOrCreateUser(call, call.input);
    const answer = createdOrFound(isNew, { user: viewUser(call, record) });
    return { ...(await call.commit(answer, writes)), headers: etag(record.version) };
  },
});
