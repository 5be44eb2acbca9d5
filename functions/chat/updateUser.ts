import * as z from 'zod/mini';
import { userOf } from '#shared/api/caller.ts';
import { ok } from '#shared/api/operation.ts';
import { chatOperation } from '#shared/api/operations/chat.ts';
import { notFound } from '#shared/core/errors.ts';
import { userFields, webchatUserFields } from '#shared/domain/chat/chatInputs.ts';
import { changeFields, type UserFields } from '#shared/domain/chat/chatUsers.ts';
import { UserView, viewSelf } from '#shared/domain/chat/chatViews.ts';
import { findUser } from '#shared/storage/dynamodb/chat/users.ts';

export const updateUser = chatOperation({
  name: 'updateUser',
  summary: 'Updates the given fields of the calling user.',
  method: 'PUT',
  path: '/users/me',
  access: { who: 'user' },
  table: 'writes',
  body: z.object(userFields),
  extendedBody: z.object({ ...userFields, ...webchatUserFields }),
  output: z.object({ user: UserView }),
  statuses: [200],

  handle: async call => {
    const { webhook, caller, input } = call;
    const { attributes } = input as UserFields;
    // Attributes are merged by key and limited in number, which requires the current user.
    const before = attributes === undefined ? undefined : await findUser(webhook, userOf(caller));
    if (attributes !== undefined && !before) throw notFound(`The user ${caller.shownId}`);
    const user = await changeFields(call, before ?? userOf(caller), input);
    return ok({ user: viewSelf(webhook, user) });
  },
});
