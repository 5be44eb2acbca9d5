import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { propertyChanges, tagChanges, userFields } from '#shared/api/platform/inputs.ts';
import { botChatOperation } from '#shared/api/platform/operation.ts';
import { refuseBotUser, updateUser as update } from '#shared/botChat/users.ts';
import { etag } from '#shared/botChat/views/common.ts';
import { UserView, viewUser } from '#shared/botChat/views/user.ts';

export const updateUser = botChatOperation({
  name: 'updateUser',
  summary: 'Changes the given fields, tags and properties of a user, each by itself; null takes one away.',
  scope: 'bot',
  method: 'PUT',
  path: '/chat/users/{id}',
  table: 'writes',
  isVersioned: true,
  body: z.object({
    tags: z.optional(tagChanges()),
    name: z.optional(z.nullable(userFields.name)),
    pictureUrl: z.optional(z.nullable(userFields.pictureUrl)),
    properties: z.optional(propertyChanges()),
    attributes: z.optional(propertyChanges()),
  }),
  output: z.object({ user: UserView }),
  statuses: [200],

  handle: async call => {
    refuseBotUser(call, call.input.id);
    const user = await update(call, call.input.id, call.input);
    return { ...ok({ user: viewUser(call, user) }), headers: etag(user.version) };
  },
});
