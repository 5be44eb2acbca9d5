import * as z from 'zod/mini';
import { MEGABYTE, ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { tagChanges } from '#shared/api/platform/tagInputs.ts';
import { propertyChanges, userFields } from '#shared/domain/botChat/botChatInputs.ts';
import * as users from '#shared/domain/botChat/botChatUsers.ts';
import { updateBotUser } from '#shared/domain/botChat/botUserRules.ts';
import { UserView, viewBotAsUser, viewUser } from '#shared/domain/messaging/botViews/userView.ts';
import { etag } from '#shared/domain/messaging/botViews/viewFields.ts';

export const updateUser = botChatOperation({
  name: 'updateUser',
  summary:
    "Updates the given fields of a user, and tags, properties and attributes key by key. Null removes a field or key. Without a `name`, the bot's own user has the name of the bot.",
  scope: 'bot',
  method: 'PUT',
  path: '/chat/users/{id}',
  table: 'writes',
  isVersioned: true,
  payloadLimitBytes: MEGABYTE,
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
    if (call.input.id === call.botId) {
      const own = await updateBotUser(call, call.input);
      return { ...ok({ user: viewBotAsUser(call, call.bot, own) }), headers: etag(own.version) };
    }
    const user = await users.updateUser(call, call.input.id, call.input);
    return { ...ok({ user: viewUser(call, user) }), headers: etag(user.version) };
  },
});
