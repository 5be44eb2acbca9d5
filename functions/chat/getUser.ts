import * as z from 'zod/mini';
import { userOf } from '#shared/api/caller.ts';
import { ok } from '#shared/api/operation.ts';
import { chatOperation } from '#shared/api/operations/chat.ts';
import { notFound } from '#shared/core/errors.ts';
import { UserView, viewSelf } from '#shared/domain/chat/chatViews.ts';
import { findUser } from '#shared/storage/dynamodb/chat/users.ts';

export const getUser = chatOperation({
  name: 'getUser',
  summary: 'Returns the calling user.',
  method: 'GET',
  path: '/users/me',
  access: { who: 'user' },
  table: 'reads',
  output: z.object({ user: UserView }),
  statuses: [200],

  handle: async ({ webhook, caller }) => {
    const user = await findUser(webhook, userOf(caller));
    if (!user) throw notFound(`The user ${caller.shownId}`);
    return ok({ user: viewSelf(webhook, user) });
  },
});
