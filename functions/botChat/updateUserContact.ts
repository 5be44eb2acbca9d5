import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { contactFields, updateContact } from '#shared/domain/botChat/userContact.ts';
import { UserView, viewUser } from '#shared/domain/messaging/botViews/userView.ts';
import { etag } from '#shared/domain/messaging/botViews/viewFields.ts';

export const updateUserContact = botChatOperation({
  name: 'updateUserContact',
  summary:
    'Updates the contact of a user field by field. Null or an empty text removes a field. Integrations and end users neither see nor set it.',
  scope: 'bot',
  method: 'PUT',
  path: '/chat/users/{id}/contact',
  table: 'writes',
  isVersioned: true,
  body: z.object(contactFields),
  output: z.object({ user: UserView }),
  statuses: [200],

  handle: async call => {
    const { id, ...given } = call.input;
    const user = await updateContact(call, id, given);
    return { ...ok({ user: viewUser(call, user) }), headers: etag(user.version) };
  },
});
