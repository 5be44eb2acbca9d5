import * as z from 'zod/mini';
import { userOf } from '#shared/api/caller.ts';
import { created, ok } from '#shared/api/operation.ts';
import { chatOperation } from '#shared/api/operations/chat.ts';
import { userFields, webchatUserFields } from '#shared/domain/chat/chatInputs.ts';
import { changeIfDifferent, startUser } from '#shared/domain/chat/chatUsers.ts';
import { UserView, viewSelf } from '#shared/domain/chat/chatViews.ts';
import { findUser } from '#shared/storage/dynamodb/chat/users.ts';

export const getOrCreateUser = chatOperation({
  name: 'getOrCreateUser',
  summary: 'Returns the calling user, updated with the given fields, or creates it with them.',
  method: 'POST',
  path: '/users/get-or-create',
  access: { who: 'user' },
  table: 'writes',
  largeValues: 'writes',
  body: z.object(userFields),
  extendedBody: z.object({ ...userFields, ...webchatUserFields }),
  output: z.object({ user: UserView }),
  statuses: [200, 201],

  handle: async call => {
    const { webhook, caller, input, commit } = call;
    const found = await findUser(webhook, userOf(caller));
    if (found) {
      const user = await changeIfDifferent(call, found, input);
      return commit(ok({ user: viewSelf(webhook, user) }), []);
    }
    const { user, write } = startUser(call, input);
    return commit(created({ user: viewSelf(webhook, user) }), [write]);
  },
});
