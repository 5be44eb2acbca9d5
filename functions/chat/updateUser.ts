import * as z from 'zod/mini';
import { userOf } from '#shared/api/chat/caller.ts';
import { chatOperation } from '#shared/api/chat/operation.ts';
import { ok } from '#shared/api/operation.ts';
import { userFields } from '#shared/chat/inputs.ts';
import { UserView, viewUser } from '#shared/chat/views.ts';
import { changeUser } from '#shared/dynamodb/chat/users.ts';
import { notFound } from '#shared/errors.ts';

export const updateUser = chatOperation({
  name: 'updateUser',
  summary: 'Updates the given fields of the calling user.',
  method: 'PUT',
  path: '/users/me',
  access: { who: 'user' },
  table: 'writes',
  body: z.object(userFields),
  output: z.object({ user: UserView }),
  statuses: [200],

  handle: async ({ webhook, caller, input, nowMs }) => {
    const { name, pictureUrl, profile } = input;
    const user = await changeUser(
      webhook,
      userOf(caller),
      { fields: { name, pictureUrl, profile } },
      { nowMs, onRefused: () => notFound(`The user ${caller.shownId}`) },
    );
    return ok({ user: viewUser(user) });
  },
});
